import { availableParallelism } from 'node:os';
import type { TestGateway } from '../support/gateway.ts';
import { injected } from './payloads.ts';
import type { Position, Request } from './positions.ts';
import { canary, secret } from './world.ts';

/** An answer that reveals a bug, with its request. */
export interface Wrong {
  readonly position: string;
  readonly payload: string;
  readonly why: string;
  readonly status: number;
  readonly body: string;
}

/** Text that only servers, drivers and our own source files produce. No payload contains any of it. */
const inside =
  /SQLSTATE|sqlMessage|errno|ER_[A-Z]{3}|You have an error in your SQL|right syntax|near "|near '|node_modules|\.[tj]s:\d|file:\/\/\/(?!etc)|\bknex\b|mysql2|pg_catalog|information_schema|TypeError|RangeError|URIError|KnexTimeout|at Object\.|gw_[0-9a-f]{12}/;
const refusals = new Set([400, 403, 404, 405, 409, 413, 415, 431]);

/** `npm run fuzz` tries every payload in every position, `npm test` one in eight; which ones depends on the position. */
const oneIn = process.env.FUZZ_CASES === undefined ? 8 : 1;

/** Tries every payload in every position. Returns the answers that leak something, find too much, or are not answers at all. */
export async function attack(
  gateway: TestGateway,
  positions: readonly Position[],
  payloads: readonly string[],
): Promise<{ readonly asked: number; readonly wrong: readonly Wrong[] }> {
  const wrong: Wrong[] = [];
  let requests = 0;
  const all = positions.flatMap((position, place) =>
    payloads
      .filter((_, nth) => (nth + place) % (position.share * oneIn) === 0)
      .map((payload) => ({ position, payload })),
  );
  const walk = all.values();
  const worker = async () => {
    for (const { position, payload } of walk) {
      const request = position.request(payload);
      if (request === null) continue;
      requests += 1;
      const { status, body, split } = await send(gateway.url, request);
      const why = split ? 'has a header of the payload' : judge(position, payload, status, body);
      if (why !== null)
        wrong.push({ position: position.name, payload: payload.slice(0, 120), why, status, body: body.slice(0, 400) });
    }
  };
  await Promise.all(Array.from({ length: Math.max(4, availableParallelism()) }, worker));
  return { asked: requests, wrong };
}

interface Sent {
  readonly status: number;
  readonly body: string;
  /** Whether the line breaks of the payload injected a header. */
  readonly split: boolean;
}

/** Sends one request, with a short timeout. */
async function send(url: string, { path, ...init }: Request): Promise<Sent> {
  const answer = await fetch(url + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(20_000) });
  return { status: answer.status, body: await answer.text(), split: answer.headers.has(injected) };
}

function judge(position: Position, payload: string, status: number, body: string): string | null {
  if (status !== 200 && !refusals.has(status)) return 'is no answer to a client';
  const shown = position.finds === 'description' ? body.replace(/zq_(film|mood|sink)/g, '') : body;
  if (shown.includes(secret) || shown.includes(canary)) return 'shows what is hidden';
  if (inside.test(body)) return 'speaks of the inside';
  if (status === 200 && position.finds === 'file') return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return 'is no JSON';
  }
  const isRefused = status === 409 || (status === 400 && position.finds === 'file');
  if (isRefused && !namesOf(parsed).some((name) => position.about.includes(name)))
    return `names ${namesOf(parsed)}, not ${position.about}`;
  if (status !== 200 || position.finds !== 'nothing' || isBlank(payload)) return null;
  return recordsOf(parsed).length === 0 ? null : 'found a record';
}

/** A `q` without words, or an empty object, matches everything. */
function isBlank(payload: string): boolean {
  const sent: unknown = payload.startsWith('"') ? JSON.parse(payload) : payload;
  return /^([\s"]*|\s*\{\s*\}\s*)$/.test(String(sent));
}

/** What a 409 is about: its keys besides those that every error has. */
function namesOf(answer: unknown): readonly string[] {
  const error: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'error') : null;
  return Object.keys(Object(error)).filter((name) => name !== '__type');
}

function recordsOf(answer: unknown): readonly unknown[] {
  const result: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'result') : null;
  const records: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'records') : null;
  return Array.isArray(records) ? records : [];
}
