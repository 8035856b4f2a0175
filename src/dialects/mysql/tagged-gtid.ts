/**
 * The event of a GTID with a tag, since MySQL 8.3: numbered fields, in which a number takes as many bytes as it needs. The ones at
 * the end of its first byte say how many bytes follow.
 */
import { uuid } from './binlog-events.ts';

/** Throws where the event is of another form: then its id is unknown, and with it which transaction it is. */
export function taggedGtid(body: Buffer): string {
  let at = 0;
  const number = (): bigint => {
    const first = body.readUInt8(at);
    // The number of ones below its lowest zero.
    const more = 31 - Math.clz32(~first & (first + 1));
    let rest = 0n;
    for (let nth = more; nth > 0; nth--) rest = rest * 256n + BigInt(body.readUInt8(at + nth));
    at += 1 + more;
    return more >= 7 ? rest : rest * BigInt(2 ** (7 - more)) + BigInt(first >> (more + 1));
  };
  /** Whether the field comes next; those that have their default are left out. */
  const has = (field: bigint): boolean => {
    const before = at;
    if (number() === field) return true;
    at = before;
    return false;
  };
  const [version] = [number(), number(), number()];
  if (version !== 1n) throw new RangeError(`a GTID in version ${version} of its form`);
  if (has(flags)) number();
  if (!has(source)) throw new RangeError('a GTID without a source');
  const bytes = Buffer.from(Array.from({ length: 16 }, () => Number(number())));
  if (!has(count)) throw new RangeError('a GTID without a number');
  // The last bit is the sign.
  const nth = number() / 2n;
  if (!has(tag)) return `${uuid(bytes)}:${nth}`;
  const length = Number(number());
  return `${uuid(bytes)}:${body.toString('utf8', at, at + length).toLowerCase()}:${nth}`;
}

const [flags, source, count, tag] = [0n, 1n, 2n, 3n];
