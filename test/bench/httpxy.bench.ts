/** httpxy's web() beside a proxy written by hand: why the gateway forwards HTTP itself. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { application, connections, proxy, requests } from './forwarded.ts';
import { ensureWrk, type Request } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, inPairs, type Pair } from './served.ts';

const measured: (readonly string[])[] = [];

beforeAll(ensureWrk);
afterAll(() => {
  const [, ...others] = columns('proxy by hand');
  report('httpxy', `Forwarded by httpxy, ${connections} connections`, ['Case', 'httpxy (1/s)', ...others], measured);
});

test.each(requests)('%s', async (name, request) => {
  const compared = await inPairs(() => pair(request), connections);
  measured.push(cellsOf(name, compared));
  // From here on it would be fast enough to be chosen (docs/upstream.md).
  expect(compared.ratio).toBeLessThan(0.9);
});

async function pair(request: Request): Promise<Pair> {
  const behind = await application();
  const [httpxy, byHand] = [await proxy('httpxy', behind.url), await proxy('hand-written', behind.url)];
  return {
    own: { url: httpxy.url, request },
    other: { url: byHand.url, request },
    async stop() {
      for (const running of [httpxy, byHand, behind]) await running.stop();
    },
  };
}
