/** The configuration in config/compose, run against real servers that were set up with its SQL files, as compose does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { check } from '../../../src/commands/check.ts';
import { formatComplaint } from '../../../src/config/complaints.ts';
import { loadSettings } from '../../../src/config/load.ts';
import { root } from '../../support/program.ts';
import { freshDatabase, openSession, type ServerDatabase, servers } from '../../support/servers/engines.ts';

const folder = join(root, 'config/compose');
const both = ['mariadb', 'postgres'].flatMap((name) => servers().filter((engine) => engine.name === name));
const opened = new Map<string, ServerDatabase>();

/** Users belong to the server, not to the database, so dropping the database does not remove them. */
const forget = async () => {
  for (const engine of both) {
    const session = await openSession(engine);
    await session.exec('DROP USER IF EXISTS gateway').finally(() => session.close());
  }
};

beforeAll(async () => {
  await forget();
  for (const engine of both) {
    const fresh = await freshDatabase(engine);
    opened.set(engine.name, fresh);
    for (const part of ['shop', 'user'])
      await fresh.exec(readFileSync(join(folder, `${part}-${engine.name}.sql`), 'utf8'));
  }
});
afterAll(async () => {
  for (const fresh of opened.values()) await fresh.drop();
  await forget();
});

test.skipIf(both.length < 2)('every resource can be served, and nothing is warned of', async () => {
  // Our test servers run locally and without TLS.
  const written = readFileSync(join(folder, 'gateway.yaml'), 'utf8');
  const text = written.replace(/@(mariadb|postgres)\/shop\?ssl-?mode=\w+/g, (_, name) => {
    const { host, pathname } = new URL(opened.get(name)?.url ?? '');
    return `@${host}${pathname}`;
  });
  const loaded = loadSettings('gateway.yaml', { SHOP_PASSWORD: 'sample' }, () => text);
  if (!loaded.ok) throw new Error(loaded.complaints.map(formatComplaint).join('\n'));
  const lines: string[] = [];
  expect(await check(loaded.settings, loaded.positions, (line) => lines.push(line))).toBe(true);
  expect(lines.filter((line) => !line.startsWith('database '))).toEqual(['5 resources can be served']);
});
