import type { Random } from '../support/random.ts';
import type { Dialogue } from '../support/replay.ts';

/** The offsets where the messages of a server begin, and the length of each header in bytes. */
export type Heads = (bytes: Buffer) => readonly number[];

export const postgresHeads: Heads = (bytes) => {
  const heads: number[] = [];
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) heads.push(at);
  return heads;
};

export const mysqlHeads: Heads = (bytes) => {
  const heads: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4 + bytes.readUIntLE(at, 3)) heads.push(at);
  return heads;
};

/** Lengths that a reader must not trust, and the prefixes of MySQL's length-encoded integers. */
const lengths = [
  -1,
  -2,
  0,
  1,
  3,
  4,
  5,
  2 ** 16,
  2 ** 24 - 1,
  2 ** 24,
  2 ** 30,
  2 ** 31 - 1,
  -(2 ** 31),
  -(2 ** 24),
  -70_000,
];
const marks = [
  ...[[0xfb], [0xfc], [0xfd, 0xff, 0xff, 0xff], [0xfe, 0, 0, 0, 0, 1, 0, 0, 0], [0xff]],
  ...[
    [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0],
    [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  ],
];

/** Damages a dialogue in a few places, mostly in the last answer and near the start of a message. */
export function damaged(dialogue: Dialogue, heads: Heads, random: Random): Dialogue {
  const all: Buffer[] = dialogue.map((bytes) => Buffer.from(bytes));
  for (let nth = random.from(1, 3); nth > 0; nth--) {
    const spoken = all.flatMap((bytes, at) => (bytes.length > 0 ? [at] : []));
    const at = random.isIn(0.7) ? (spoken.at(-1) ?? 0) : random.one(spoken);
    const bytes = all[at] ?? Buffer.alloc(0);
    const messageStarts = heads(bytes);
    const faultStart =
      random.isIn(0.7) && messageStarts.length > 0 ? random.one(messageStarts) + random.from(0, 12) : Infinity;
    const place = faultStart < bytes.length ? faultStart : random.from(0, Math.max(0, bytes.length - 1));
    all[at] = hurt(bytes, place, random);
  }
  return all;
}

function hurt(bytes: Buffer, at: number, random: Random): Buffer {
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const end = random.from(0, Math.min(after.length, 40));
  switch (random.from(0, 7)) {
    case 0:
      return Buffer.concat([before, Buffer.of(random.from(0, 255)), after.subarray(1)]);
    case 1:
    case 2: {
      const length = Buffer.alloc(4);
      length.writeInt32BE(random.isIn(0.8) ? random.one(lengths) : random.from(-(2 ** 31), 2 ** 31 - 1));
      return Buffer.concat([before, length, after.subarray(4)]);
    }
    case 3: {
      const mark = Buffer.from(random.one(marks));
      return Buffer.concat([before, mark, after.subarray(random.isIn(0.5) ? mark.length : 1)]);
    }
    case 4:
      return Buffer.concat([before, after.subarray(end)]);
    case 5:
      return Buffer.concat([before, after.subarray(0, end), after]);
    case 6:
      return Buffer.from(before);
    default:
      return Buffer.concat([before, Buffer.from(Array.from({ length: end }, () => random.from(0, 255))), after]);
  }
}
