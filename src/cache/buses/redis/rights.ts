import type { keysOf } from './messages.ts';

/** No entry may have this id. The server says so only after it has looked for the right to add one. */
const refusedId = '0-0';

/**
 * Commands that need every right of publishing and of hearing, and change nothing that others see. They come with each lease: where a
 * fleet may not publish its writes, nobody has one. A member that may not hear is not registered: each write would wait for it.
 */
export const triedRights = ({ news, suspensions }: ReturnType<typeof keysOf>): readonly (readonly string[])[] => [
  ['XADD', news, refusedId, 'a', 'b'],
  ['HSET', suspensions, '', ''],
  ['HDEL', suspensions, ''],
  ['XRANGE', news, refusedId, refusedId],
  ['XREAD', 'COUNT', '1', 'STREAMS', news, '$'],
];

/** Whether an error is the answer to an entry that is only tried. */
export const isOfTrial = ([name, , id]: readonly string[], { message }: Error): boolean =>
  name === 'XADD' && id === refusedId && message.startsWith('ERR ');
