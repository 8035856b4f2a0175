/** A MySQL statement is sent as one text, in which every value is quoted correctly. */
import mysql2 from 'mysql2';
import { describe, expect, test } from 'vitest';
import { sqlOf } from '../../../src/execute/drivers/mysql/statement.ts';

const marks: readonly string[] = ["'", '"', '\\', '?', '`', '\0', '\n', '\x1a', '--', '/*', 'é', '😀'];
const long = marks.join('').repeat(20);
const driver = { format: mysql2.format };
const none = {
  format(): never {
    throw new Error('the driver is asked');
  },
};

describe('values are written as the driver writes them', () => {
  test.each(marks.map((mark) => [mark]))('%j', (mark) => {
    const values = [`a${mark}b`, null, Buffer.from(mark)];
    const text = 'update `t` set `a` = ?, `b` = ?, `c` = ?';
    expect(sqlOf(none, { text, values })).toBe(mysql2.format(text, values));
  });

  test('also many, and without one', () => {
    const values = Array.from({ length: 5000 }, (_, nth) => `value ${nth}?`);
    const text = `select ${values.map(() => '?').join(', ')}`;
    expect(sqlOf(none, { text, values })).toBe(mysql2.format(text, values));
    expect(sqlOf(none, { text: 'COMMIT', values: [] })).toBe('COMMIT');
  });

  test('a long one', () => {
    const sql = sqlOf(none, { text: 'select ?', values: [long] });
    expect(sql).toBe(`select '${long.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`);
  });
});

test('a mark in a name or a literal takes no value', () => {
  const text = "select `a?b`, '?', ? from t where c = ?";
  expect(sqlOf(driver, { text, values: ['?', long] })).toMatch(/^select `a\?b`, '\?', '\?' from t where c = '/);
});
