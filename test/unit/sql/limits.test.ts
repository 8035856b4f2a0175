/** The limits of texts, and the positions in them. */
import { expect, test } from 'vitest';
import { SqlFault } from '../../../src/model/select.ts';
import { tablesOf } from '../../../src/model/select-tables.ts';
import { checkText } from '../../../src/parse/check-text.ts';
import { byteOf, positionOf } from '../../../src/values/sql-position.ts';
import { read } from './shown.ts';

function refusal(run: () => unknown): readonly [string, number | null] | null {
  try {
    run();
  } catch (error) {
    if (error instanceof SqlFault) return [error.message, error.at];
    throw error;
  }
  return null;
}

test.each<[string, number, readonly [string, number | null] | null]>([
  ['SELECT', 6, null],
  ['SELECT', 5, ['must have at most 5 characters', null]],
  // Characters are code points, not UTF-16 units.
  ['😀😀😀', 3, null],
  ['😀😀😀', 2, ['must have at most 2 characters', null]],
  ['', 10, ['must be a SELECT', null]],
  [' \n', 10, ['must be a SELECT', null]],
  ['ü\0', 10, ['must not contain the character U+0000', 2]],
  ['ü\ud800', 10, ['must not contain half of a surrogate pair', 2]],
  ['😀\udc00 ', 10, ['must not contain half of a surrogate pair', 4]],
  ['/**/'.repeat(50), 1000, null],
  ['/**/'.repeat(51), 1000, ['must have at most 50 comments', 200]],
  ['--\n'.repeat(51), 1000, ['must have at most 50 comments', 150]],
  ['/*'.repeat(51), 1000, ['must have at most 50 comments', 100]],
])('the text %j with %i characters', (sql, maxCharacters, expected) => {
  expect(refusal(() => checkText(sql, maxCharacters))).toEqual(expected);
});

test('positions count characters from 1, bytes from 0', () => {
  const sql = 'aü😀b';
  expect([0, 1, 3, 7, 8, 99].map((at) => positionOf(sql, at))).toEqual([1, 2, 3, 4, 5, 5]);
  expect([0, 1, 2, 3, 4, 99].map((nth) => byteOf(sql, nth))).toEqual([0, 1, 3, 7, 8, 8]);
  for (const at of [0, 1, 3, 7]) expect(byteOf(sql, positionOf(sql, at) - 1)).toBe(at);
});

const parts = 'must have at most 1000 parts';
const tables = 'must have at most 32 tables, with those of subqueries';
const levels = 'must have at most 40 levels of nesting';
const list = (length: number) => Array.from({ length }, () => '1').join(', ');

test.each([
  ['outputs', `SELECT ${list(200)} FROM t`, null],
  ['outputs', `SELECT ${list(201)} FROM t`, 'must have at most 200 outputs'],
  // The SELECT, its table, one output, IN and its value are five parts.
  ['parts', `SELECT a FROM t WHERE a IN (${list(995)})`, null],
  ['parts', `SELECT a FROM t WHERE a IN (${list(996)})`, parts],
  ['levels', `SELECT ${'- '.repeat(38)}a FROM t`, null],
  ['levels', `SELECT ${'- '.repeat(39)}a FROM t`, levels],
  ['tables', 'SELECT 1 FROM a JOIN b ON 1 JOIN c ON 1 JOIN d ON 1', null],
  ['tables', `SELECT ${Array.from({ length: 31 }, () => '(SELECT 1 FROM b)').join(', ')} FROM a`, null],
  ['tables', `SELECT ${Array.from({ length: 32 }, () => '(SELECT 1 FROM b)').join(', ')} FROM a`, tables],
  ['tables', 'SELECT 1 FROM a JOIN b ON 1 JOIN c ON 1 JOIN d ON 1 JOIN e ON 1', 'FROM must have at most 4 tables'],
  [
    'tables',
    'SELECT 1 FROM (a JOIN b ON 1) JOIN (c JOIN (d JOIN e ON 1) ON 1) ON 1',
    'FROM must have at most 4 tables',
  ],
  ['FROM', 'SELECT 1 FROM (SELECT 1 FROM (SELECT 1 FROM t) a) b', null],
  [
    'FROM',
    'SELECT 1 FROM (SELECT 1 FROM (SELECT 1 FROM (SELECT 1 FROM t) a) b) c',
    'FROM with more than 2 levels of queries is not supported',
  ],
  [
    'FROM in a value',
    'SELECT 1 FROM (SELECT 1 FROM (SELECT (SELECT 1 FROM (SELECT 1 FROM t) a) FROM t) b) c',
    'FROM with more than 2 levels of queries is not supported',
  ],
  ['WITH', `WITH ${chain(3)} SELECT 1 FROM w3`, null],
  // Written out, each of these has the size 2 to the power of its length.
  ['WITH', `WITH ${chain(12)} SELECT 1 FROM w12`, tables],
  ['WITH, not used', `WITH ${chain(300)} SELECT 1 FROM t`, tables],
  ['BETWEEN', `SELECT ${'('.repeat(12)}a${' BETWEEN 1 AND 2)'.repeat(12)} FROM t`, parts],
  ['CASE', `SELECT ${'CASE '.repeat(12)}a${' WHEN 1 THEN 2 WHEN 3 THEN 4 END'.repeat(12)} FROM t`, parts],
])('%s: %.60s', (_name, sql, expected) => {
  expect(refusal(() => read(sql))?.[0] ?? null).toBe(expected);
});

function chain(length: number): string {
  const next = (_: unknown, nth: number) =>
    `w${nth + 1} AS (SELECT 1 FROM ${nth === 0 ? 't' : `w${nth} JOIN w${nth} x ON true`})`;
  return Array.from({ length }, next).join(', ');
}

test('the tables of a SELECT are those of all its parts, each once', () => {
  const sql = `WITH w AS (SELECT 1 FROM a JOIN b ON (SELECT 1 FROM c))
    SELECT (SELECT 2 FROM d), CASE WHEN (SELECT 3 FROM e) THEN f((SELECT 4 FROM f)) ELSE (SELECT 1 FROM g) END
    FROM (SELECT 5 FROM w LEFT JOIN h ON true) q JOIN a ON true
    WHERE a IN (1, (SELECT 6 FROM i)) AND NOT b LIKE (SELECT 7 FROM j) AND (SELECT 8 FROM k) IS NULL
    GROUP BY (SELECT 9 FROM l)::text || 'x' HAVING count(*) FILTER (WHERE (SELECT 10 FROM m)) > -(SELECT 11 FROM n)
    ORDER BY (SELECT 12 FROM "__proto__") + 1`;
  expect(tablesOf(read(sql))).toEqual([...'abchdefgijklmn', '__proto__']);
});
