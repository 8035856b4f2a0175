import { expect, test } from 'vitest';
import { classifyError } from '../../../src/dialects/postgres/classify-error.ts';

test.each([
  ["unnamed portal with parameters: $1 = 'PL/pgSQL: a', $2 = 'SQL '", 'too large'],
  ["PL/pgSQL function f() line 1 at assignment\nunnamed portal with parameters: $1 = 'a'", 'schema'],
  ['SQL-Funktion »f« Anweisung 1', 'schema'],
])('a value in the context of an error is no function: %s', (where, kind) => {
  expect(classifyError({ code: '54000', where })).toEqual({ kind });
});
