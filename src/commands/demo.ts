import { randomBytes } from 'node:crypto';
import { loadSettings } from '../config/load.ts';
import { withPort } from '../config/port.ts';
import { demoTables } from './demo-tables.ts';
import { type Serving, serve } from './serve.ts';
import { hashOf, newToken } from './token.ts';

/** Serves the embedded demo and prints how to try it. */
export async function demo(
  file: string,
  port: number | null,
  print: (line: string) => void,
): Promise<Serving | { readonly complaints: readonly string[] }> {
  const token = newToken(randomBytes);
  const loaded = loadSettings(file, { DEMO_TOKEN_SHA256: hashOf(token) });
  if (!loaded.ok) return { complaints: loaded.complaints.map((complaint) => complaint.text) };
  const serving = await serve({
    ...loaded,
    settings: withPort(loaded.settings, port),
    prepare: async (pools) => {
      await pools.get('demo')?.use(async (session) => {
        for (const statement of demoTables()) await session.run(statement);
      });
    },
  });
  if ('complaints' in serving) return serving;

  const site = `http://127.0.0.1:${serving.port}`;
  const api = `${site}/api/action`;
  const write = (action: string, body: unknown) =>
    `curl -s ${api}/${action} -H 'Authorization: ${token}' -d '${JSON.stringify(body)}'`;
  const record = { code: 'XX', name: 'Utopia', Ländername: 'Utopien' };
  for (const line of [
    '',
    `The demo is served at ${site}/`,
    `Resources: ${[...loaded.settings.resources.keys()].join(', ')}. They live in memory and are gone when it stops.`,
    `Token for writing: ${token}`,
    '',
    'Search, insert and delete; paste a line into another terminal:',
    '',
    `curl -s '${api}/datastore_search?resource_id=countries&q=land&limit=3'`,
    write('datastore_upsert', { resource_id: 'countries', method: 'insert', records: [record] }),
    write('datastore_records_delete', { resource_id: 'countries', filters: { code: 'XX' } }),
    '',
  ]) {
    print(line);
  }
  return serving;
}
