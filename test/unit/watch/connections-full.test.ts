import { expect, test } from 'vitest';
import { log } from '../../../src/watch/log.ts';
import { Metrics } from '../../../src/watch/metrics.ts';

test('connections that are closed for want of room are all counted, and logged once a minute', async () => {
  const levels = () => ({
    cache: { entries: 0, bytes: 0, maxBytes: 0 },
    pools: [],
    workers: 1,
    connections: 7,
    incomingBytes: 0,
    subscribers: 0,
    spoolBytes: 0,
    keyAges: new Map(),
  });
  const metrics = new Metrics({ levels, states: async () => ({}) });
  const lines: string[] = [];
  const tell = log({ level: 'info', requests: 'misses', format: 'json' }, null, {
    write: (line) => void lines.push(line),
  });
  for (const closed of ['idle', 'new', 'idle'] as const) {
    metrics.emit({ on: 'connections full', closed });
    tell({ on: 'connections full', closed });
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, msg: 'connections full', closed: 'idle' }]);
  const shown = await metrics.show();
  const values = (name: string) => shown.find((one) => one.name === name)?.values;
  expect(values('gateway_connections_closed_total')).toEqual([
    { labels: { connection: 'idle' }, value: 2 },
    { labels: { connection: 'new' }, value: 1 },
  ]);
  expect(values('gateway_connections')).toMatchObject([{ value: 7 }]);
});
