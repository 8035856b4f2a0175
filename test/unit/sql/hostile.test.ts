/** Texts that are made to block or to crash the parser. After each, an honest query still works. */
import { afterAll, expect, test } from 'vitest';
import { SqlFault } from '../../../src/model/select.ts';
import { ParseThread } from '../../../src/parse/parse-thread.ts';
import { loadParser, ParserCrash } from '../../../src/parse/postgres-parser.ts';
import { SelectParser } from '../../../src/parse/select-parser.ts';
import { shown } from './shown.ts';

const maxCharacters = 10_000;
const parser = new SelectParser(new URL('../../support/parse-thread.mjs', import.meta.url));
afterAll(() => parser.close());

const honest = 'SELECT region, count(*) FROM sales GROUP BY region';
const long = `SELECT ${Array.from({ length: 200 }, (_, nth) => `column${nth}`).join(', ')} FROM sales`;

async function honestWorks(): Promise<void> {
  expect(shown(await parser.parse(honest, maxCharacters))).toBe('region, count(*) from sales group region');
  expect((await parser.parse(long, maxCharacters)).outputs).toHaveLength(200);
}

/** `before`, as many of `part` as there is room for, and `after` as many times. */
function filled(length: number, [before, part, middle, after = '']: readonly string[]): string {
  const text = `${before}${middle}`;
  const count = Math.floor((length - text.length) / ((part ?? '') + after).length);
  return `${before}${(part ?? '').repeat(count)}${middle}${after.repeat(count)}`;
}

const hostile: readonly (readonly string[])[] = [
  ['SELECT ', '(', '1', ')'],
  ['SELECT ', '(', ''],
  ['', 'SELECT (', '1', ')'],
  ['', 'SELECT * FROM (', 't', ') q'],
  ['SELECT ', 'NOT ', '1 FROM t'],
  ['SELECT ', '- ', '1 FROM t'],
  ['SELECT 1', '+1', ' FROM t'],
  ['SELECT 1', ' AND 1', ' FROM t'],
  ['SELECT 1', '::int', ' FROM t'],
  ['SELECT a', '[1]', ' FROM t'],
  ['SELECT a', '.a', ' FROM t'],
  ['SELECT a', ' IS NULL', ' FROM t'],
  ['SELECT 1', ' UNION SELECT 1', ''],
  ['SELECT 1 FROM t', ' JOIN t', '', ' ON 1'],
  ['SELECT ', 'CASE WHEN ', '1', ' THEN 1 END'],
  ['SELECT ', 'f(', '1', ')'],
  ['', 'WITH a AS (', 'SELECT 1', ') SELECT 1'],
  ['SELECT ', '/*', '1', '*/'],
  ['SELECT 1 FROM t WHERE a IN (', '1,', '1)'],
  ["SELECT '", "''", "' FROM t"],
  ['SELECT $a$', '$b$', ''],
  ['SELECT ', '9', ' FROM t'],
  ['SELECT ', '_', ' FROM t'],
  ['', ';', 'SELECT 1 FROM t'],
  ['', 'SELECT 1 FROM t;', ''],
  ['SELECT "', '__proto__', '" FROM constructor'],
];

test.each(hostile)('%j, %j, %j, %j: an honest query still works', async (...parts) => {
  for (const length of [500, maxCharacters]) {
    const sql = filled(length, parts);
    expect(sql.length).toBeGreaterThan(length - 100);
    // An exception other than a refusal fails the test.
    await parser.parse(sql, maxCharacters).catch((error: unknown) => {
      if (!(error instanceof SqlFault)) throw error;
    });
    await honestWorks();
  }
});

test('many hostile texts at once are refused one after the other', async () => {
  const texts = hostile.map((parts) => filled(maxCharacters, parts));
  const answers = await Promise.allSettled(texts.map((sql) => parser.parse(sql, maxCharacters)));
  const reasons = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(reasons.filter((reason) => !(reason instanceof SqlFault))).toEqual([]);
  expect(reasons.length).toBeGreaterThan(20);
  await honestWorks();
});

test('texts of more than 500 characters are parsed in the thread, shorter ones are not', async () => {
  const withoutThread = new SelectParser(new URL('data:text/javascript,throw new Error("no thread")'));
  const text = (length: number) => `SELECT a FROM t WHERE a = '${'x'.repeat(length - 28)}'`;
  expect(text(500)).toHaveLength(500);
  expect(shown(await withoutThread.parse(text(500), maxCharacters))).toMatch(/^a from t where/);
  await expect(withoutThread.parse(text(501), maxCharacters)).rejects.toThrow('the SQL parser did not load');
  expect(shown(await withoutThread.parse(honest, maxCharacters))).toMatch(/^region/);
  // The checks come first, so a text that is too long starts nothing.
  await expect(withoutThread.parse(text(1001), 1000)).rejects.toThrow('must have at most 1000 characters');
});

/** A thread that answers each text with the number of texts it has had. */
const fake = `
  import { parentPort } from 'node:worker_threads';
  let count = 0;
  parentPort.on('message', (sql) => {
    if (sql === 'hang') for (;;);
    if (sql === 'crash') throw new RangeError('Maximum call stack size exceeded');
    if (sql === 'exit') process.exit();
    if (sql === 'refuse') return parentPort.postMessage({ fault: { text: 'no', at: 3 } });
    parentPort.postMessage({ select: ++count });
  });
  parentPort.postMessage('ready');`;
const fakeUrl = new URL(`data:text/javascript,${encodeURIComponent(fake)}`);

test('a text that takes too long, or ends the thread, is refused alone', async () => {
  const thread = new ParseThread(fakeUrl, 500);
  const texts = ['a', 'b', 'hang', 'c', 'crash', 'd', 'refuse', 'e', 'exit', 'f'];
  const answers = await Promise.allSettled(texts.map((sql) => thread.parse(sql)));
  const short = answers.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason.message)));
  const ended = 'is too complex';
  expect(short).toEqual([1, 2, ended, 1, ended, 1, 'no', 2, ended, 1]);
  expect(await thread.parse('g')).toBe(2);
  thread.close();
});

test('after a crash of the parser in the main thread, all texts are parsed in the other thread', async () => {
  let count = 0;
  const crashing = new SelectParser(fakeUrl, async () => () => {
    count++;
    throw new ParserCrash();
  });
  await expect(crashing.parse('a', maxCharacters)).rejects.toThrow(new SqlFault('is too complex', null));
  expect(await crashing.parse('b', maxCharacters)).toBe(1);
  expect(await crashing.parse('c', maxCharacters)).toBe(2);
  expect(count).toBe(1);
  crashing.close();
});

test('a parser that was loaded at the start is not loaded again', async () => {
  let loads = 0;
  const early = new SelectParser(undefined, async () => {
    loads++;
    return loadParser();
  });
  await early.load();
  expect(shown(await early.parse(honest, maxCharacters))).toBe('region, count(*) from sales group region');
  expect(loads).toBe(1);
  early.close();
});
