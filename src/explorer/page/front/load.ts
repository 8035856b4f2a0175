/** Loads the front page's tables. */
import { call } from '../ask/call.ts';
import { token } from '../ask/token.ts';
import { say } from '../texts/index.ts';
import { type Tables, tablesOf } from './tables.ts';

/** The most tables that the page lists. The search finds the others. */
const maxTables = 1000;

/** How long the user must have stopped typing before a search starts. */
const typingMs = 150;

/** The newest answers by their search words, so that Back shows the page at once. All of them belong to one token. */
const kept = { token: '', answers: new Map<string, Tables>() };
const maxKept = 8;

export const keptTables = (q: string): Tables | null => (kept.token === token() ? (kept.answers.get(q) ?? null) : null);

/** @param q '' for all tables */
export async function loadTables(q: string, signal: AbortSignal): Promise<Tables> {
  if (q !== '') await new Promise((resolve) => setTimeout(resolve, typingMs));
  signal.throwIfAborted();
  const as = token();
  const params = { ...(q === '' ? {} : { q }), include: ['counts', 'changed', 'shape'], limit: maxTables };
  const { result } = await call('resource_list', params, { signal, as });
  const tables = tablesOf(result, say.language, new Date());
  if (kept.token !== as || kept.answers.size >= maxKept) kept.answers.clear();
  kept.token = as;
  kept.answers.set(q, tables);
  return tables;
}
