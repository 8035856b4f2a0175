/** Answers of the server, whose shapes the library leaves open. Pure. */
import { isMember } from './messages.ts';

/** Milliseconds in the answer to TIME. */
export const timeIn = (answer: unknown): number => {
  const [seconds, micros] = Array.isArray(answer) ? answer.map(Number) : [];
  if (seconds === undefined || micros === undefined) throw new Error('the Redis server does not tell its time');
  return seconds * 1000 + micros / 1000;
};

/** All names in names and scores, and of them the members whose score is not over. */
export function membersIn(
  answer: unknown,
  time: number,
): { readonly names: ReadonlySet<unknown>; readonly live: ReadonlySet<string> } {
  const all: readonly unknown[] = Array.isArray(answer) ? answer : [];
  return {
    names: new Set(all.filter((_, nth) => nth % 2 === 0)),
    live: new Set(all.filter((name, nth): name is string => isMember(name) && Number(all[nth + 1]) > time)),
  };
}

/** The id of the last entry of a stream. */
export function newestIn(answer: unknown): string {
  const [entry]: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const [id]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  return typeof id === 'string' ? id : '0-0';
}

/** The values among names and values. */
export const valuesIn = (answer: unknown): readonly unknown[] =>
  Array.isArray(answer) ? answer.filter((_, nth) => nth % 2 === 1) : [];

/** The entries in the answer to XREAD, by stream. */
export const streamsIn = (answer: unknown): readonly (readonly [unknown, readonly unknown[]])[] =>
  (Array.isArray(answer) ? answer : []).map((stream: unknown) => {
    const [name, entries] = Array.isArray(stream) ? stream : [];
    return [name, Array.isArray(entries) ? entries : []];
  });

/** A line of INFO. */
export const infoOf = (info: unknown, name: string): string | null =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(String(info))?.[1] ?? null;

/** `Redis 7.0.15`; of Valkey, which says two versions, its own. */
export function versionOf(info: unknown): string {
  const valkey = infoOf(info, 'valkey_version');
  if (valkey !== null) return `Valkey ${valkey}`;
  return `Redis ${infoOf(info, 'redis_version') ?? 'of an unknown version'}`;
}
