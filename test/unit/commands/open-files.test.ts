import { expect, test } from 'vitest';
import { clientRoom } from '../../../src/commands/open-files.ts';
import { loadSettings } from '../../../src/config/load.ts';

function settings(more: object = {}) {
  const text = JSON.stringify({
    databases: { db: { client: 'postgres', connection: 'postgres://a@127.0.0.1/b', pool: { max: 10 } } },
    resources: { t: { database: 'db', table: 't' } },
    limits: { connections: 1000 },
    ...more,
  });
  const loaded = loadSettings('test.yaml', {}, () => text);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.complaints));
  return loaded.settings;
}

test('where the system allows enough files, all clients get in', () => {
  expect(clientRoom(settings(), 1_048_576, 0)).toEqual({ connections: 1000, warning: null });
  expect(clientRoom(settings(), Number.POSITIVE_INFINITY, 0)).toEqual({ connections: 1000, warning: null });
});

test('databases, replicas, the spool and the upstream keep their share', () => {
  // 10 calls, 2 downloads and 4 others, plus 64 for the process itself.
  expect(clientRoom(settings(), 1000, 0).connections).toBe(1000 - 80);
  expect(clientRoom(settings(), 1000, 10).connections).toBe(1000 - 90);
  const upstream = { url: 'http://127.0.0.1:1', maxRequests: 300 };
  expect(clientRoom(settings({ upstream }), 1000, 0).connections).toBe(1000 - 380);
  expect(clientRoom(settings({ upstream: { ...upstream, maxRequests: 5000 } }), 1000, 0).connections).toBe(460);
});

test('with very few files a quarter is for clients', () => {
  expect(clientRoom(settings({ limits: { connections: 1000 } }), 100, 0).connections).toBe(25);
});
