/** Answers of the server, whose shapes the library leaves open. Pure. */
import { isMember, nonsense } from './messages.ts';

/** Milliseconds in the answer to TIME. */
export const timeIn = (answer: unknown): number => {
  const [seconds, micros] = Array.isArray(answer) ? answer.map(Number) : [];
  if (seconds === undefined || micros === undefined) throw new Error('the Redis server does not tell its time');
  return seconds * 1000 + micros / 1000;
};

/** The members in names and scores, and the scores of those that are not over. Throws where a name is that of no member. */
export function membersIn(
  answer: unknown,
  time: number,
): { readonly names: ReadonlySet<string>; readonly live: ReadonlyMap<string, number> } {
  const all: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const [names, live] = [new Set<string>(), new Map<string, number>()];
  for (const [nth, name] of all.entries()) {
    if (nth % 2 !== 0) continue;
    if (!isMember(name)) throw nonsense('members');
    names.add(name);
    const until = Number(all[nth + 1]);
    if (until > time) live.set(name, until);
  }
  return { names, live };
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
