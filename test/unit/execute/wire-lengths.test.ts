import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { leastRowBytes, readRow } from '../../../src/execute/drivers/mysql/row-packets.ts';
import { MessageLengths } from '../../../src/execute/drivers/postgres/message-lengths.ts';
import { guardSocket } from '../../../src/execute/drivers/socket.ts';

const message = (code: string, length: number, body: string | Buffer = '') => {
  const head = Buffer.alloc(5, code);
  head.writeUInt32BE(length >>> 0, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};

describe('messages of PostgreSQL', () => {
  const sizes = [1, 2, 3, 5, 7, 1000];
  const check = (bytes: Buffer, size: number) => {
    const lengths = new MessageLengths();
    for (let at = 0; at < bytes.length; at += size) lengths.check(bytes.subarray(at, at + size));
  };

  test.each(sizes)('pass as they are, in pieces of %i bytes', (size) => {
    const error = message('E', 17, 'SERROR\0Mno\0\0\0');
    check(Buffer.concat([message('D', 6, '\0\0'), error, message('Z', 5, 'I'), message('1', 4), error]), size);
  });

  const faults: readonly (readonly [string, Buffer])[] = [
    ['a length below that of itself', message('D', 3)],
    ['a negative length', message('D', -1)],
    ['a length above all that a server can send', message('d', 2 ** 30 + 1)],
    ['an error without the end of its fields', message('E', 10, 'SERRO\0')],
    ['a notice that is empty', message('N', 4)],
  ];
  test.each(faults)('are refused with %s', (_, bytes) => {
    const good = message('1', 4);
    for (const size of sizes) expect(() => check(Buffer.concat([good, bytes, good]), size)).toThrow('the server sent');
  });
});

describe('rows of MySQL', () => {
  const row = (...bytes: readonly number[]) => ({
    buffer: Buffer.from([9, ...bytes, 1, 65]),
    offset: 1,
    end: 1 + bytes.length,
  });
  const read = (packet: ReturnType<typeof row>) => {
    const cells: (string | null)[] = [];
    readRow(
      { ...packet, isEOF: () => false },
      {
        cell: (bytes, start, end) => cells.push(bytes.toString('utf8', start, end)),
        none: () => cells.push(null),
        end: () => undefined,
      },
    );
    return cells;
  };

  test('are read to their end', () => {
    expect(read(row(1, 66, 0xfb, 0, 0xfc, 1, 0, 67))).toEqual(['B', null, '', 'C']);
  });

  test.each([
    [[2, 66]],
    [[0xfc, 9, 0, 66]],
    [[0xfc]],
    [[0xfe, 255, 255, 255, 255, 255, 255, 255, 255, 66]],
    [[0xff, 1]],
  ])('are refused where a cell is longer: %j', (bytes) => {
    expect(() => read(row(...bytes))).toThrow('the server sent');
  });

  test('announce the length of their first long cell', () => {
    expect(leastRowBytes(Buffer.from([1, 66, 0xfb, 0xfe, 0, 0, 0, 0, 1, 0, 0, 0, 66]))).toBe(2 + 1 + 9 + 2 ** 32);
    expect(leastRowBytes(Buffer.from([1, 66, 0xfb]))).toBe(3);
    expect(leastRowBytes(Buffer.alloc(0))).toBe(0);
  });
});

test('an error of a reader ends its socket, and is the reason', async () => {
  const socket = new PassThrough();
  guardSocket(socket, () => undefined);
  socket.on('data', () => {
    throw new RangeError('unreadable');
  });
  const ended = new Promise((resolve) => socket.once('error', resolve));
  socket.write('x');
  expect(await ended).toMatchObject({ message: 'unreadable' });
  expect(socket.destroyed).toBe(true);
});
