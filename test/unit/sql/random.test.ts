/** Any text is read or refused: texts of SQL's own words, many of which the parser accepts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SqlFault } from '../../../src/model/select.ts';
import { tablesOf } from '../../../src/model/select-tables.ts';
import { positionOf } from '../../../src/values/sql-position.ts';
import { read, shown } from './shown.ts';

const { expr, query } = fc.letrec<{ expr: string; query: string; source: string; part: string }>((tie) => {
  const e = tie('expr');
  const t = (strings: TemplateStringsArray, ...inner: fc.Arbitrary<string>[]) =>
    fc.tuple(...inner).map((values) => strings.map((text, nth) => text + (values[nth] ?? '')).join(''));
  const words = (...all: string[]) => fc.constantFrom(...all);
  const leaf = words(
    ...[
      'a',
      't.b',
      '"ü"',
      's.t.a',
      '*',
      't.*',
      '(t).a',
      'a[1]',
      '$1',
      '1',
      '-1.50',
      '1e3',
      '0xFF',
      '1_0',
      "'x'",
      "E'\\n'",
    ],
    ...["B'1'", 'null', 'true', 'now()', 'current_date', 'current_user', 'current_timestamp(2)', "interval '1 day'"],
    ...["date '2020-01-01'", 'array[1]', 'default', '(a, b)', 'row(1)', 'count(*)', "interval '1' year", '__proto__'],
  );
  return {
    expr: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      t`(${e} ${words('+', '-', '*', '/', '%', '||', '=', '<>', '<=', '~', '^', '->', 'AND', 'OR', 'OVERLAPS', 'LIKE', 'NOT ILIKE', 'SIMILAR TO', 'IS DISTINCT FROM', 'AT TIME ZONE', '= ANY')} ${e})`,
      t`(${words('NOT', '-', '+', '@', 'EXISTS', 'ARRAY')} ${e})`,
      t`(${e} ${words('IS NULL', 'IS NOT TRUE', 'IS UNKNOWN', 'IS JSON', 'COLLATE "C"', '::int', '::numeric(3, 1)', '::a.b', '::int[]', '::interval', 'IS NORMALIZED')})`,
      t`(${e} ${words('', 'NOT')} BETWEEN ${words('', 'SYMMETRIC')} ${e} AND ${e})`,
      t`(${e} ${words('', 'NOT')} IN (${e}, ${e}))`,
      t`(${e} IN (${tie('query')}))`,
      t`CASE ${words('', 'a')} WHEN ${e} THEN ${e} ${words('', 'ELSE 1')} END`,
      t`${words('f', 'sum', 'coalesce', 'nullif', 'greatest', 's.f', 'extract', 'xmlconcat', 'json_array', 'grouping')}(${words('', 'DISTINCT', 'VARIADIC', 'x =>')} ${e}${words('', ', 1', ' ORDER BY 1')})${words('', ' FILTER (WHERE a)', ' OVER ()', ' OVER w', ' WITHIN GROUP (ORDER BY 1)')}`,
      t`${words('substring(a FROM ', 'trim(BOTH FROM ', 'extract(year FROM ', 'CAST(1 AS text', "position('x' IN ", 'substring(a FOR ')}${e})`,
      t`(${tie('query')})`,
    ),
    part: fc.oneof(
      t`${words('t', 'w', 'u x', 's.t', 'ONLY t', 'f(1)', 't (a)', 't TABLESAMPLE system(1)')}`,
      t`${words('', 'LATERAL')} (${tie('query')}) q`,
    ),
    source: fc.oneof(
      { depthSize: 'small' },
      tie('part'),
      t`(${tie('source')} ${words('JOIN', 'LEFT JOIN', 'FULL JOIN', 'CROSS JOIN', 'NATURAL JOIN')} ${tie('part')} ${words('', 'ON a = b', 'USING (a)')})`,
      t`${tie('part')}, ${tie('part')}`,
    ),
    query: t`${words('', '', 'WITH w AS (SELECT 1 FROM t)', 'WITH RECURSIVE w AS (TABLE t)', 'WITH w (a) AS (VALUES (1))')} SELECT ${words('', 'DISTINCT', 'DISTINCT ON (a)')} ${e} ${words('', 'AS x', 'INTO y')}, ${e} FROM ${tie('source')} ${words('', 'WHERE a', 'WHERE a LIKE b ESCAPE c')} ${words('', 'GROUP BY a', 'GROUP BY ROLLUP (a)', 'GROUP BY ()')} ${words('', 'HAVING b')} ${words('', 'WINDOW w AS ()', 'ORDER BY 1 DESC', 'ORDER BY a USING <')} ${words('', 'LIMIT 1', 'LIMIT 1 + 1', 'OFFSET 2', 'FETCH FIRST ROW WITH TIES', 'FOR UPDATE', 'UNION SELECT 1')}`,
  };
});

/** What became of a text. Throws whatever is no refusal, and for a position outside the text. */
function outcome(sql: string): 'read' | 'refused' | 'no SQL' {
  try {
    const select = read(sql);
    shown(select);
    tablesOf(select);
    return 'read';
  } catch (error) {
    if (!(error instanceof SqlFault)) throw error;
    const position = positionOf(sql, error.at ?? 0);
    expect(position).toBeLessThanOrEqual([...sql].length + 1);
    return /^(?:syntax error|unterminated)/.test(error.message) ? 'no SQL' : 'refused';
  }
}

test('any text is read or refused', () => {
  const counts = { read: 0, refused: 0, 'no SQL': 0 };
  const texts = fc.oneof(
    query,
    expr.map((one) => `SELECT ${one} FROM t`),
  );
  fc.assert(
    fc.property(texts, (sql) => void counts[outcome(sql)]++),
    { numRuns: 6000 },
  );
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(100); // Some 260 are read.
});
