import { expect, test } from 'vitest';
import { asInvalidJson, asJson, asLines, type CheckReport } from '../../../src/commands/check-report.ts';
import type { Positions } from '../../../src/config/complaints.ts';

const positions: Positions = { where: () => 'my.yaml:1:2', hides: () => false, offset: () => 0 };
const empty: CheckReport = {
  databases: [],
  resources: [],
  notInFile: [],
  shadows: [],
  errors: [],
  warnings: [],
  advice: null,
};
const odd = 'line\nerror: no \u{9b}31m \u202e';

test('errors come first, then warnings, then advice, then whether it can be served', () => {
  const report: CheckReport = {
    ...empty,
    errors: [{ path: ['a'], says: 'is wrong' }],
    warnings: [{ path: ['b'], says: 'is odd' }],
    advice: [{ rule: 'index', path: ['resources', 'c'], says: 'is slow', sql: ['A', 'B'] }],
  };
  expect(asLines(report, positions, false)).toEqual([
    'error: a (my.yaml:1:2) is wrong',
    'warning: b (my.yaml:1:2) is odd',
    'advice: resources.c (my.yaml:1:2) is slow: A; B;',
    '1 error',
  ]);
  expect(asLines({ ...empty, advice: [] }, positions, false)).toEqual(['no advice', '0 resources can be served']);
});

test('names of a database stay within their line, and are whole for machines', () => {
  const report: CheckReport = {
    ...empty,
    resources: [
      {
        ...{ id: 'r', database: 'db', schema: null, table: odd, kind: 'table', key: [odd] },
        rows: [{ callers: 'token bern', where: `{"${odd}":1}` }],
        ...{ access: { read: 'token', write: 'none' }, columns: [{ name: odd, as: null, type: 'text' }] },
      },
    ],
    notInFile: [{ database: 'db', tables: [odd], leftOut: [{ table: odd, why: 'a view' }] }],
    advice: [{ rule: 'index', path: ['resources', 'r'], says: 'is slow', sql: [`CREATE INDEX ON "${odd}" (a)`] }],
  };
  const lines = asLines(report, positions, true);
  expect(lines).toHaveLength(8);
  expect(lines).toContain(
    'advice: resources.r (my.yaml:1:2) is slow: a name has characters that cannot be printed: --json has the SQL',
  );
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const json = asJson(report, positions);
  expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(json)).toMatchObject({
    servable: true,
    resources: [{ table: odd, columns: [{ name: odd, as: null }] }],
    notInFile: [{ tables: [odd] }],
    advice: [
      {
        rule: 'index',
        path: 'resources.r',
        where: 'my.yaml:1:2',
        sql: [`CREATE INDEX ON "${odd}" (a)`],
        setting: null,
      },
    ],
  });
});

test('a file that is no configuration is the same document, with its errors', () => {
  const complaint = { path: 'limits.rowMax', where: 'my.yaml:1:2', text: 'is not a setting' };
  expect(JSON.parse(asInvalidJson([complaint]))).toEqual({
    ...{ servable: false, databases: [], resources: [], notInFile: [], shadows: [], warnings: [], advice: null },
    errors: [complaint],
  });
});
