/** What members write into the stream. Anybody with access to the server may have written it. Pure. */
import type { Message, Suspension } from '../bus.ts';

export interface AnnouncedSuspension extends Suspension {
  /** Milliseconds after which every statement of its process has finished in its database, once the process is gone. */
  readonly lasts: number;
}

export type StreamMessage =
  | Exclude<Message, Suspension>
  | AnnouncedSuspension
  /** The member is a process which had other names before: what it has not published again since has ended. */
  | { readonly type: 'again'; readonly names: readonly string[] }
  /** The process which has one of these names has to say whether the suspension goes on. */
  | { readonly type: 'ask'; readonly id: string; readonly names: readonly string[] };

/** Names of one process that count: a line that is cut again and again makes a new one each time. */
export const mostNames = 100;

/** An entry of the stream. */
export interface Entry {
  readonly id: string;
  /** The member that has written it. */
  readonly from: string;
  /** Its number among the entries of this member: one that is left out was lost. */
  readonly nth: number;
  /** Whether the member waits until the others have heard it. */
  readonly isAwaited: boolean;
  readonly messages: readonly StreamMessage[];
}

/** The keys of a group. */
export function keysOf(group: string) {
  // In braces, for a server that spreads keys by them.
  const prefix = `datastore-gateway:{${group}}`;
  return {
    /** The stream of messages. */
    news: `${prefix}:news`,
    members: `${prefix}:members`,
    suspensions: `${prefix}:suspensions`,
    /** The stream of acknowledgements of what this member has written. */
    acks: (member: string) => `${prefix}:acks:${member}`,
  };
}

/** Characters of the messages of an entry. A longer text is not parsed: a stranger's could hold the process for seconds. */
export const mostCharacters = 100_000;

/** Of one message: Redis keeps thousands of them, and each member asks for the last entry again and again. */
export const mostCounters = 30;

/** Open suspensions of all members: each is a write under way, or one that waits for a connection. */
export const mostSuspensions = 10_000;

/**
 * Bytes of memory that the server takes for open suspensions, or for members: as many as there may be, of the largest kind. They are
 * fetched at once, and a stranger's could hold the process for seconds.
 */
export const mostBytes = 32_000_000;

/** The fields of an entry with these messages, each as JSON. */
export const fieldsOf = (from: string, nth: number, isAwaited: boolean, messages: readonly string[]) => [
  ...['from', from, 'nth', String(nth), 'awaited', isAwaited ? '1' : '0', 'messages', `[${messages.join(',')}]`],
];

/** Entries of the stream, about. A member that is so many behind has no lease any more. */
const mostEntries = '10000';

/** The command that adds an entry with these fields. @param news the key of the stream */
export const adding = (news: string, fields: readonly string[]) => [
  ...['XADD', news, 'MAXLEN', '~', mostEntries, '*', ...fields],
];

/** Throws where it is no entry of a member. */
export function readEntry(read: unknown): Entry {
  const [id, fields] = Array.isArray(read) ? read : [];
  const [from, nth, awaited, messages] = ['from', 'nth', 'awaited', 'messages'].map((name) => fieldOf(fields, name));
  if (typeof id !== 'string' || !isMember(from) || !/^\d{1,15}$/.test(nth ?? ''))
    throw nonsense('an entry of its stream');
  return { id, from, nth: Number(nth), isAwaited: awaited === '1', messages: readMessages(messages) };
}

/** An open suspension, as it is kept beside the stream: once for each name under which its process has published it. */
export interface KeptSuspension {
  readonly from: string;
  readonly suspension: AnnouncedSuspension;
}

/**
 * The commands that keep the suspensions of a member beside the stream, or remove them.
 * @param kept their key
 * @param texts the messages as JSON
 * @param namesOf earlier names of the member's process, under which a suspension may be kept
 */
export const keeping = (
  kept: string,
  from: string,
  messages: readonly StreamMessage[],
  texts: readonly string[],
  namesOf: (id: string) => readonly string[],
) =>
  messages.flatMap((message, nth) => {
    // Nobody has begun the one without an id.
    if ((message.type !== 'suspend' && message.type !== 'resume') || message.id === '') return [];
    const { id } = message;
    const names = namesOf(id);
    if (message.type === 'resume') return [removing(kept, [[id, [...names, from]]])];
    const keep = ['HSET', kept, keptAs(from, id), `${from} ${texts[nth]}`];
    return names.length === 0 ? [keep] : [keep, removing(kept, [[id, names]])];
  });

/** The command that removes suspensions, as they were published under these names. @param kept the key */
export const removing = (kept: string, published: Iterable<readonly [id: string, names: readonly string[]]>) => [
  ...['HDEL', kept, ...[...published].flatMap(([id, names]) => names.map((name) => keptAs(name, id)))],
];

/** Who removes what a process published before it was away does not remove what it publishes when it is back. */
const keptAs = (from: string, id: string): string => `${from} ${id}`;

/** Throws where it is none. */
export function readKept(text: unknown): KeptSuspension {
  const [from, message] = typeof text === 'string' ? [text.slice(0, 36), text.slice(37)] : [];
  const [suspension] = readMessages(`[${message}]`);
  if (!isMember(from) || suspension?.type !== 'suspend') throw nonsense('a suspension');
  return { from, suspension };
}

/** The value of a field among the names and values of an entry. */
export function fieldOf(fields: unknown, name: string): string | undefined {
  const all: readonly unknown[] = Array.isArray(fields) ? fields.slice(0, 8) : [];
  const at = all.findIndex((one, nth) => nth % 2 === 0 && one === name);
  const value = at < 0 ? undefined : all[at + 1];
  return typeof value === 'string' ? value : undefined;
}

/** Members name themselves by random UUIDs, which become part of keys. */
export const isMember = (from: unknown): from is string =>
  typeof from === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(from);

export const nonsense = (what: string): Error =>
  new Error(`the Redis server holds ${what} that no gateway has written`);

function readMessages(text: string | undefined): readonly StreamMessage[] {
  if (text === undefined || text.length > mostCharacters) throw nonsense('messages');
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw nonsense('messages');
  }
  if (!Array.isArray(read) || !read.every(isMessage)) throw nonsense('messages');
  return read;
}

function isMessage(read: unknown): read is StreamMessage {
  if (typeof read !== 'object' || read === null) return false;
  const { type, id, resource, invalidates, by, names, lasts }: Record<string, unknown> = { ...read };
  switch (type) {
    case 'forget':
      return true;
    case 'again':
      return areNames(names);
    case 'ask':
      return isId(id) && areNames(names);
    case 'resume':
      return isId(id);
    case 'suspend':
      return isId(id) && typeof resource === 'string' && areCounters(invalidates) && isTime(lasts);
    case 'written': {
      const { server, transactions }: Record<string, unknown> = typeof by === 'object' ? { ...by } : {};
      return (
        typeof resource === 'string' && areCounters(invalidates) && typeof server === 'string' && areTexts(transactions)
      );
    }
  }
  return false;
}

/** It is asked for together with all its names. */
const isId = (read: unknown): boolean => typeof read === 'string' && read.length <= 100;

/** Milliseconds, of four months at most. */
const isTime = (read: unknown): boolean => typeof read === 'number' && read >= 0 && read <= 1e10;

const areNames = (read: unknown): read is readonly string[] =>
  areTexts(read) && read.length <= mostNames && read.every(isMember);

const areCounters = (read: unknown): read is readonly string[] => areTexts(read) && read.length <= mostCounters;

const areTexts = (read: unknown): read is readonly string[] =>
  Array.isArray(read) && read.every((one) => typeof one === 'string');
