import { availableParallelism } from 'node:os';
import type { TestGateway } from '../support/gateway.ts';
import type { Position, Request } from './positions.ts';
import { canary, secret } from './world.ts';

/** An answer that it must not be, with what was asked. */
export interface Wrong {
  readonly position: string;
  readonly payload: string;
  readonly why: string;
  readonly status: number;
  readonly body: string;
}

/** Words of servers, drivers and this program's own files; no payload and no text of ours holds one. */
const inside =
  /SQLSTATE|sqlMessage|errno|ER_[A-Z]{3}|You have an error in your SQL|right syntax|near "|near '|node_modules|\.[tj]s:\d|file:\/\/\/(?!etc)|\bknex\b|mysql2|pg_catalog|information_schema|TypeError|RangeError|URIError|KnexTimeout|at Object\.|gw_[0-9a-f]{12}/;
const refusals = new Set([400, 403, 404, 405, 409, 413, 415, 431]);

/** Puts every payload into every position and returns the answers that show too much, find too much, or are no answers. */
export async function attack(
  gateway: TestGateway,
  positions: readonly Position[],
  payloads: readonly string[],
): Promise<{ readonly asked: number; readonly wrong: readonly Wrong[] }> {
  const wrong: Wrong[] = [];
  let asked = 0;
  const all = positions.flatMap((position, place) =>
    payloads.filter((_, nth) => (nth + place) % position.share === 0).map((payload) => ({ position, payload })),
  );
  const walk = all.values();
  const worker = async () => {
    for (const { position, payload } of walk) {
      const request = position.request(payload);
      if (request === null) continue;
      asked += 1;
      const { status, body } = await send(gateway.url, request);
      const why = judge(position, payload, status, body);
      if (why !== null)
        wrong.push({ position: position.name, payload: payload.slice(0, 120), why, status, body: body.slice(0, 400) });
    }
  };
  await Promise.all(Array.from({ length: Math.max(4, availableParallelism()) }, worker));
  return { asked, wrong };
}

export async function send(url: string, { path, ...init }: Request): Promise<{ status: number; body: string }> {
  const answer = await fetch(url + path, { ...init, redirect: 'manual' });
  return { status: answer.status, body: await answer.text() };
}

function judge(position: Position, payload: string, status: number, body: string): string | null {
  if (status !== 200 && !refusals.has(status)) return 'is no answer to a client';
  if (body.includes(secret) || body.includes(canary)) return 'shows what is hidden';
  if (inside.test(body)) return 'speaks of the inside';
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return 'is no JSON';
  }
  if (status !== 200 || position.finds === 'anything' || isBlank(payload)) return null;
  return recordsOf(parsed).length === 0 ? null : 'found a record';
}

/** A `q` without a word, and one without a field, are no search: they find all. */
function isBlank(payload: string): boolean {
  const sent: unknown = JSON.parse(payload);
  return /^([\s"]*|\s*\{\s*\}\s*)$/.test(typeof sent === 'string' ? sent : payload);
}

function recordsOf(answer: unknown): readonly unknown[] {
  const result: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'result') : null;
  const records: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'records') : null;
  return Array.isArray(records) ? records : [];
}
