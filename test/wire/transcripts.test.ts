/**
 * Every engine must give the same answers, byte for byte. To record an answer, write a request with an empty one and run with UPDATE=1 and a single
 * engine in TEST_ENGINES. Then check what was recorded, because it is now what we promise.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../support/gateway.ts';
import { type Engine, engines, type FreshDatabase, freshDatabase } from '../support/servers/engines.ts';
import { differences, differencesText, lacks } from './differences.ts';
import { exchange } from './exchange.ts';
import { configurations } from './gateways.ts';
import { type Exchange, gatewayOf, parseTranscript, printTranscript } from './transcript.ts';

const folder = import.meta.dirname;
const files = readdirSync(folder)
  .filter((name) => /^\d{3}_\w+\.txt$/.test(name))
  .sort()
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
const recording = process.env.UPDATE === '1';
const family = (engine: Engine) => (engine.client === 'mysql' ? 'mysql' : 'postgres');

/** The SQL of the fixture, without paragraphs that start with `-- needs TYPE` if this engine lacks the type. */
function fixture(engine: Engine): string {
  const script = readFileSync(join(folder, `fixture.${family(engine)}.sql`), 'utf8');
  const needed = (paragraph: string) => /^-- needs (\w+)/.exec(paragraph)?.[1];
  return script
    .split('\n\n')
    .filter((paragraph) => !lacks(engine.name, needed(paragraph) ?? ''))
    .join('\n\n');
}

async function replay(url: string, { asked, request }: Exchange): Promise<Exchange> {
  return { asked, request, answered: await exchange(url, request) };
}

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(fixture(engine));
  });
  afterAll(() => database?.drop());

  const facts = { booleans: family(engine) === 'postgres', json: !lacks(engine.name, 'json') };
  // The other gateways differ in limits, addresses and texts, which do not depend on the database: one engine of each family is enough.
  const stands = engines().findLast((other) => family(other) === family(engine)) === engine;
  const gateways = Object.keys(configurations({}, facts)).filter((name) => name === 'main' || stands);
  describe.each(gateways)('at the gateway %s', (gatewayName) => {
    let gateway: TestGateway;
    beforeAll(async () => {
      gateway = await startGateway(configurations(entry(database), facts)[gatewayName] ?? {});
    });
    afterAll(() => gateway?.close());

    const replayed = files.filter(
      ({ name, text }) =>
        gatewayOf(text) === gatewayName &&
        !differences.some((difference) => difference.file === name && difference.engine === engine.name),
    );
    test.each(replayed)('$name', async ({ name, text }) => {
      const answers: Exchange[] = [];
      for (const one of parseTranscript(text)) answers.push(await replay(gateway.url, one));
      const got = printTranscript(answers);
      if (recording) writeFileSync(join(folder, name), got);
      else expect(got).toBe(text);
    });
  });

  test.each(differences.filter((difference) => difference.engine === engine.name))('has no type $type', ({ type }) =>
    expect(database.exec(`CREATE TABLE probe (c ${type})`)).rejects.toThrow(),
  );
});

test('an answer is recorded by one engine and promised by all', () => {
  expect(recording && engines().length > 1).toBe(false);
});

test('the list of differences is short and true', () => {
  console.info(`Deliberate differences:\n${differencesText}`);
  expect(differences.length).toBeLessThanOrEqual(10);
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(differences.map(({ file }) => file)));
});

test('a resource is written by one transcript only, and read by no other: each can be replayed alone', () => {
  const users = files.map(({ name, text }) => {
    const calls = parseTranscript(text).filter(({ answered }) => /^200\n/.test(answered));
    const ids = (texts: readonly string[]) =>
      new Set(texts.flatMap((one) => [...one.matchAll(/resource_id(?:"\s*:\s*"|=)(\w+)/g)].map((match) => match[1])));
    const writes = calls.filter(({ request }) => /upsert|delete/.test(request.target));
    return {
      name,
      written: ids(writes.map(({ request }) => request.body ?? '')),
      used: ids(calls.map(({ asked }) => asked)),
    };
  });
  const shared = users.flatMap(({ name, written }) =>
    [...written].filter((id) => users.some((other) => other.name !== name && other.used.has(id))),
  );
  expect(shared).toEqual([]);
});

test('the transcripts hold at least 120 exchanges', () => {
  expect(files.flatMap(({ text }) => parseTranscript(text)).length).toBeGreaterThanOrEqual(120);
});
