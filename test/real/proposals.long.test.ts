/**
 * The files that `init` writes for whole databases, kept for review (UPDATE=1 writes them). They can be served unchanged: every resource answers a
 * search, and no answer contains a secret.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openProgram, type Program } from '../support/program.ts';
import {
  byName,
  freshDatabase,
  onePerDriver,
  type ServerDatabase,
  type ServerEngine,
  servers,
} from '../support/servers/engines.ts';
import { typed } from '../support/typed.ts';
import { loadReal, missing } from './databases.ts';

const isFuzz = process.env.FUZZ_CASES !== undefined;
const goldens = join(import.meta.dirname, 'proposals');
let program: Program;
let folder: string;
beforeAll(() => {
  program = openProgram();
  folder = mkdtempSync(join(tmpdir(), 'gateway-proposals-'));
});
afterAll(() => {
  program?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Loads our own schema, statement by statement. */
async function loadMessy(engine: ServerEngine): Promise<ServerDatabase> {
  const database = await freshDatabase(engine);
  const script = readFileSync(join(import.meta.dirname, `data/messy-${engine.client}.sql`), 'utf8').replace(
    /^--.*\n/,
    '',
  );
  for (const statement of script.split(/;\n/)) if (statement.trim() !== '') await database.exec(statement);
  return database;
}

/** Replaces what differs between runs, and the size estimates, which differ between servers. */
const steady = (text: string, database: string): string =>
  text
    .replaceAll(database, 'DATABASE')
    .replaceAll(database.toUpperCase(), 'DATABASE')
    .replace(/\((?:MariaDB|MySQL|PostgreSQL) [\d.]+\) on \d{4}-\d\d-\d\d/, '(SERVER) on DAY')
    .replace(/about [\d,]+ rows?/g, 'about N rows')
    .replace(/^ *# about N rows\n/gm, '')
    .replaceAll(`${folder}/`, '')
    .replace(/add \S+ DATABASE/, 'add FILE DATABASE')
    .replace(/connection: ".*"/, 'connection: "…"')
    .replace(/sha256: "[0-9a-f]{64}"/, 'sha256: "…"');

const golden = (name: string, text: string) => {
  const file = join(goldens, name);
  if (process.env.UPDATE === '1') writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
};

const databases = {
  real: { load: async (engine: ServerEngine) => (await loadReal(engine)).database, missing },
  messy: { load: loadMessy, missing: () => null },
};

describe.each(['real', 'messy'] as const)('%s databases', (kind) => {
  const able = servers().filter((engine) => databases[kind].missing(engine) === null);
  for (const engine of servers())
    if (!able.includes(engine))
      console.log(`${kind} databases LEFT OUT on ${engine.name}: ${databases[kind].missing(engine)}`);

  test.each(byName(able))('on %s', async (name, engine) => {
    const database = await databases[kind].load(engine);
    try {
      const file = join(folder, `${kind}-${name}.yaml`);
      // A separate process does the same on each server of a driver and for each database of a kind, so only some run as one.
      const isServed =
        isFuzz || (onePerDriver().includes(engine) && (kind === 'real') === (engine.client === 'postgres'));
      const ended = await (isServed ? program.run : typed)(['init', database.url, '-o', file]);
      expect(ended).toMatchObject({ code: 0 });
      const text = readFileSync(file, 'utf8');
      const databaseName = new URL(database.url).pathname.slice(1);
      golden(`${kind}-${engine.client}.yaml`, steady(text, databaseName));
      const port = join(folder, `${kind}-${name}-port.yaml`);
      writeFileSync(port, `${text}\nserver: { port: 0 }\n`);
      const ids = Object.keys(parse(text).resources);
      if (isServed) {
        await everyResourceAnswers(ids, [port], ended.stdout.trim());
        await everyResourceAnswers(ids, [database.url, '--port', '0'], /^Token {6}(\S+)$/m);
      }

      // The second time there is nothing to add, and the file stays unchanged.
      const again = await typed(['init', database.url, '-o', file, '--merge']);
      expect(again).toMatchObject({ code: 0, stdout: '' });
      expect(again.stderr).toContain('nothing is written');
      expect(readFileSync(file, 'utf8')).toBe(text);
    } finally {
      await database.drop();
    }
  });
});

/** Serves a file, or the database of a URL. Every resource must answer with the token, none without it, and no answer may contain a secret. */
async function everyResourceAnswers(
  ids: readonly string[],
  args: readonly string[],
  token: RegExp | string,
): Promise<void> {
  const running = await program.serve(['serve', ...args]);
  if ('code' in running) throw new Error(running.stderr);
  try {
    const authorization = typeof token === 'string' ? token : ((await running.printed(token))[1] ?? '');
    expect(ids.length).toBeGreaterThan(4);
    for (const id of ids) {
      const url = `${running.url}/api/action/datastore_search?resource_id=${encodeURIComponent(id)}&limit=2`;
      const answer = await fetch(url, { headers: { Authorization: authorization } });
      const body: unknown = await answer.json();
      expect([id, body]).toMatchObject([id, { success: true }]);
      expect(JSON.stringify(body)).not.toMatch(/pw_hash|password|"iban"|@example\.org/);
    }
    const [id = ''] = ids;
    expect(
      (await fetch(`${running.url}/api/action/datastore_search?resource_id=${encodeURIComponent(id)}`)).status,
    ).toBe(403);
  } finally {
    await running.stop();
  }
}
