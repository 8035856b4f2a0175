import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { acceptsGzip } from '../../../src/reply/compress.ts';
import { attachment } from '../../../src/reply/disposition.ts';
import { elementNames, xml } from '../../../src/reply/formats/xml.ts';
import { paced } from '../../../src/reply/pace.ts';
import { encoder } from '../../../src/values/encode.ts';

describe('names of XML elements', () => {
  test('are those of CKAN', () => {
    const bad = ['278bad_name', 'xmlbad_name', 'bad name', 'bad_(name)', '.bad_name', '-bad_name'];
    const numbered = ['', '_0', '_1', '_2', '_3', '_4'].map((end) => `bad_name${end}`);
    expect(elementNames(bad)).toEqual(numbered);
  });

  test('are names, and each its own', () => {
    const odd = ['2020', '!!!', '???', '²', 'a', 'a', 'a_0', 'XML3 x', 'µ', 'é', '字段'];
    const names = elementNames(odd);
    expect(names).toEqual(['_2020', '_', '__0', '__1', 'a', 'a_0', 'a_0_0', '_x', '__2', 'é', '字段']);
  });
});

test('JSON becomes elements, with all its digits and keys', () => {
  const format = xml.format([{ id: 'j', type: 'json' }], [encoder({ kind: 'json', binary: false, finds: 'numeric' })]);
  const row = (json: string | null) => format.row([json]).replace(/^<row>|<\/row>\n$/g, '');
  expect([
    row('{"a": [1.50, null, true, []], "b<": {}, "\\"": "\\u0000\\ud83d\\ude00"}'),
    row('[]'),
    row('"text"'),
    row('null'),
    row(null),
    row('[[12345678901234567890]]'),
  ]).toEqual([
    '<j><value key="a"><value key="0">1.50</value><value xsi:nil="true" key="1" /><value key="2">True</value><value key="3" /></value><value key="b&lt;" /><value key="&quot;">\ufffd😀</value></j>',
    '<j />',
    '<j>text</j>',
    '<j xsi:nil="true" />',
    '<j xsi:nil="true" />',
    '<j><value key="0"><value key="0">12345678901234567890</value></value></j>',
  ]);
  expect(row('['.repeat(20_000) + ']'.repeat(20_000))).toMatch(/<value key="0" \/>/);
});

test('a name in a header cannot end it', () => {
  expect(attachment('a"b\r\nX: y', 'plain', 'csv')).toBe('attachment; filename="a_b__X: y.csv"');
  expect(attachment('../x', "d'été (1)*", 'csv')).toBe(
    `attachment; filename=".._x.csv"; filename*=UTF-8''d%27%C3%A9t%C3%A9%20%281%29%2A.csv`,
  );
  expect(attachment('х', 'ascii', 'csv')).toBe(`attachment; filename="_.csv"; filename*=UTF-8''%D1%85.csv`);
  expect(attachment('x', '\ud800😀'.repeat(100), 'csv').length).toBeLessThan(800);
});

test('gzip is sent to clients that accept it', () => {
  const headers = ['gzip', 'br, x-gzip;q=0.1', '*', 'GZIP ; Q=1', 'identity;q=0.5, gzip;q=0.5'];
  const without = [undefined, '', 'br', 'gzip;q=0', '*;q=0', 'identity, gzip;q=0.5', 'gzip;q=x'];
  expect(headers.map(acceptsGzip)).toEqual(headers.map(() => true));
  expect(without.map(acceptsGzip)).toEqual(without.map(() => false));
});

// All of them only wait.
describe.concurrent('the pace of a reader', () => {
  const unwanted = { isWanted: () => false, watch: () => undefined };
  async function read(bytesPerSecond: number, wait: number, window = 200): Promise<number> {
    async function* pieces() {
      for (let nth = 0; nth < 12; nth++) {
        // The time of the source does not count.
        await sleep(20);
        yield new Uint8Array(1000);
      }
    }
    let stops = 0;
    const pace = { bytesPerSecond, window, wantedWindow: 20 };
    for await (const _ of paced(pieces(), pace, unwanted, () => stops++)) await sleep(wait);
    return stops;
  }

  test('fast enough is let be, too slow is stopped', async ({ expect }) => {
    expect(await Promise.all([read(1000, 30), read(100_000, 50), read(0, 50)])).toEqual([0, expect.any(Number), 0]);
    expect(await read(100_000, 50)).toBeGreaterThan(0);
  });

  test('one that stands still is stopped by a timer', async ({ expect }) => {
    let stopped = false;
    async function* one() {
      yield 'x'.repeat(1000);
    }
    const pace = { bytesPerSecond: 1_000_000, window: 50, wantedWindow: 20 };
    const all = paced(one(), pace, unwanted, () => {
      stopped = true;
    });
    await all.next();
    await expect.poll(() => stopped).toBe(true);
    await all.return();
  });

  describe('while others want the connection', () => {
    const hour = 3_600_000;
    /** A reader that may stand still for an hour, or for `wantedWindow` while others wait; and the windows it was stopped after. */
    function reader(bytesPerSecond: number, wantedWindow = 50) {
      let isWanted = false;
      let tell: () => void = () => undefined;
      const stops: number[] = [];
      async function* pieces() {
        for (;;) yield new Uint8Array(1000);
      }
      const demand = {
        isWanted: () => isWanted,
        watch(wanted: () => void) {
          tell = wanted;
        },
      };
      const pace = { bytesPerSecond, window: hour, wantedWindow };
      return {
        all: paced(pieces(), pace, demand, (window) => stops.push(window)),
        stops,
        want() {
          isWanted = true;
          tell();
        },
        release() {
          isWanted = false;
        },
      };
    }

    test('the time of a reader that stands still already becomes short', async ({ expect }) => {
      const { all, stops, want } = reader(1000);
      await all.next();
      want();
      await expect.poll(() => [...new Set(stops)]).toEqual([50]);
      await all.return();
    });

    test('one that takes its next piece afterwards has a short time, too', async ({ expect }) => {
      const { all, stops, want } = reader(1);
      await all.next();
      want();
      await all.next();
      await expect.poll(() => [...new Set(stops)]).toEqual([50]);
      await all.return();
    });

    test('asking again and again gives a reader no more time', async ({ expect }) => {
      const { all, stops, want } = reader(1000);
      await all.next();
      const asking = setInterval(want, 5);
      await expect.poll(() => stops.length).toBeGreaterThan(0);
      clearInterval(asking);
      await all.return();
    });

    test('no reader is stopped between two pieces, before the first one, or after the last', async ({ expect }) => {
      const { all, stops, want } = reader(1000);
      want();
      await sleep(100);
      await all.next();
      await all.return();
      want();
      await sleep(100);
      expect(stops).toEqual([]);
    });

    test('a reader that has gone on after a long wait may wait as long again, but not for ever', async ({ expect }) => {
      const { all, stops, want } = reader(1);
      await all.next();
      await sleep(1000);
      await all.next();
      want();
      await sleep(1000);
      await all.next();
      expect(stops).toEqual([]);
      await expect.poll(() => stops.length, { timeout: 10_000 }).toBe(1);
      // A timer may fire early, as each counts from the time of the loop's turn: by more than a millisecond where it was a long one.
      expect(stops[0]).toBeGreaterThanOrEqual(2900);
      await all.return();
    });

    test('a reader that takes its pieces is not stopped, and has its long time again when no other waits', async ({
      expect,
    }) => {
      const { all, stops, want, release } = reader(1, 1000);
      await all.next();
      want();
      for (let nth = 0; nth < 30; nth++) {
        await sleep(50);
        await all.next();
      }
      release();
      await all.next();
      await sleep(1200);
      expect(stops).toEqual([]);
      await all.return();
    });
  });
});
