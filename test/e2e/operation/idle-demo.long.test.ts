import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { demo } from '../../../src/commands/demo.ts';

afterEach(() => vi.useRealTimers());

test('a database in memory outlives an idle time', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const serving = await demo(resolve(import.meta.dirname, '../../../config/demo.yaml'), 0, () => undefined);
  if ('complaints' in serving) throw new Error(serving.complaints.join('\n'));
  try {
    const search = `http://127.0.0.1:${serving.port}/api/action/datastore_search?resource_id=countries&limit=1`;
    const ask = async () => (await fetch(search, { headers: { 'Cache-Control': 'no-cache' } })).status;
    expect(await ask()).toBe(200);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await ask()).toBe(200);
  } finally {
    await serving.close(1000);
  }
});
