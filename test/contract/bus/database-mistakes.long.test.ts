/** Bugs in `cache.otherGateways` that a single write reveals. The random checks would find them only after many operations. */
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { variants } from '../../property/outside/variants.ts';
import { fetched } from '../../support/fetched.ts';
import { token } from '../../support/gateway.ts';
import type { Mistake } from '../../support/mistake.ts';
import { openProgram, type Program } from '../../support/program.ts';
import { freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { openScope } from '../../support/servers/scope.ts';
import { openTap } from '../../support/tap.ts';
import { running } from '../../support/workers.ts';

/** Milliseconds for which a proof of freshness may be used. */
const maxStaleness = 600;

interface Reader {
  readonly mistake?: Mistake;
  /** Whether it has no connection to the database since before the write. */
  readonly isCutOff?: true;
  /** What its first read after the write shows. */
  readonly shows: 'old' | 'new' | 'error';
}

const readers: Readonly<Record<string, Reader>> = {
  'no mistake': { shows: 'new' },
  'no mistake, cut off': { isCutOff: true, shows: 'error' },
  'a proof lasts for ever': {
    mistake: { file: 'src/cache/freshness.ts', right: 'age > maxStaleness ||', wrong: '' },
    shows: 'old',
  },
  'its own answers need no proof': {
    mistake: {
      file: 'src/pipeline/request-cache.ts',
      right: 'freshness === null || freshness.isFresh(now)',
      wrong: 'true',
    },
    shows: 'old',
  },
  'what others have committed is its own': {
    mistake: {
      file: 'src/changes/outside-writes.ts',
      right: 'others?.length === 0) return',
      wrong: 'before !== null) return',
    },
    shows: 'old',
  },
  'a database that cannot be reached proves its answers': {
    mistake: {
      ...{ file: 'src/cache/freshness.ts', right: 'return this.isFresh(received, performance.now());' },
      wrong: 'return true;',
    },
    ...{ isCutOff: true, shows: 'old' },
  },
};

const tooEarly: Mistake = {
  ...{ file: 'src/tables/other-gateways.ts', right: 'let waitMs = maxStaleness;', wrong: 'let waitMs = 0;' },
};

/** Starts a gateway with its own tap to the database. */
async function start(program: Pick<Program, 'serve'>, { url, client }: ServerDatabase, folder: string) {
  const tap = await openTap(url);
  const access = { read: 'public', write: 'token' };
  const file = join(mkdtempSync(join(folder, 'gateway-')), 'gateway.yaml');
  writeFileSync(
    file,
    JSON.stringify({
      server: { port: 0 },
      databases: {
        db: { client, connection: tap.url, maxStaleness: `${maxStaleness}ms` },
      },
      resources: { r: { database: 'db', table: 't', access } },
      tokens: [{ name: 'tester', sha256: createHash('sha256').update(token).digest('hex'), write: ['*'] }],
      cache: { ttl: '1h', otherGateways: true },
    }),
  );
  const gateway = running(await program.serve(['serve', file]));
  onTestFinished(() => tap.close());
  const action = `${gateway.url}/api/3/action`;
  return {
    tap,
    async read() {
      const { headers, body } = await fetched(`${action}/datastore_search?resource_id=r`);
      const { result }: { result?: { records: { n: number }[] } } = JSON.parse(body.toString());
      return { n: result?.records[0]?.n ?? null, isHit: headers['x-cache'] === 'HIT' };
    },
    async write(n: number) {
      const params = { resource_id: 'r', method: 'update', records: [{ id: 1, n }] };
      const headers = { 'Content-Type': 'application/json', Authorization: token };
      const body = JSON.stringify(params);
      expect((await fetch(`${action}/datastore_upsert`, { method: 'POST', headers, body })).status).toBe(200);
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Waits until each gateway has the answer cached and, after an idle period, proves it again. */
const areProved = (gateways: readonly Started[]) =>
  expect
    .poll(
      async () => {
        await sleep(maxStaleness);
        return (await Promise.all(gateways.map((gateway) => gateway.read()))).every(({ isHit }) => isHit);
      },
      { timeout: 30_000, interval: 0 },
    )
    .toBe(true);

// A server without other writers, so that proofs stay valid. Its commit marker names the transactions that have ended.
const engineWithLog = variants().find(({ name }) => name === 'postgres with a log');

test.runIf(engineWithLog !== undefined)(
  'the first read after a write shows each mistake',
  { timeout: 120_000 },
  async () => {
    if (engineWithLog === undefined) return;
    const [scope, program] = [openScope(), openProgram()];
    onTestFinished(async () => {
      program.remove();
      await scope.close();
    });
    const database = await freshDatabase(await engineWithLog.start(scope));
    await database.exec('CREATE TABLE t (id int PRIMARY KEY, n int)');
    await database.exec('INSERT INTO t VALUES (1, 0)');
    const started = (mistake?: Mistake) =>
      start(mistake === undefined ? program : program.with(mistake), database, scope.folder);
    const [careless, writer, ...others] = await Promise.all([
      started(tooEarly),
      started(),
      ...Object.values(readers).map(({ mistake }) => started(mistake)),
    ]);
    const shownAfter = async (last: number) => {
      const answers = await Promise.all(others.map((gateway) => gateway.read()));
      const labelOf = (n: number | null | undefined) => (n === null ? 'error' : n === last ? 'new' : 'old');
      return Object.fromEntries(Object.keys(readers).map((name, nth) => [name, labelOf(answers[nth]?.n)]));
    };
    // On a busy machine the read may come after the proof has expired; then nothing is stale, and we try again.
    let written = 0;
    const shownTooEarly = async () => {
      await areProved(others);
      await careless.write(++written);
      return shownAfter(written);
    };
    await expect.poll(shownTooEarly, { timeout: 60_000 }).toMatchObject({ 'no mistake': 'old' });
    // By now the gateways have read the catalogue after a write by another client, so the log may name the changed tables.
    await areProved(others);
    for (const [nth, { isCutOff }] of Object.values(readers).entries()) {
      if (!isCutOff) continue;
      others[nth]?.tap.refuse();
      others[nth]?.tap.cut();
    }
    await writer.write(++written);
    expect(await shownAfter(written)).toEqual(
      Object.fromEntries(Object.entries(readers).map(([name, { shows }]) => [name, shows])),
    );
  },
);
