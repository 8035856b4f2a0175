import { expect, test } from 'vitest';
import { classifyError } from '../../../src/dialects/postgres/classify-error.ts';

test.each([
  ["unnamed portal with parameters: $1 = 'PL/pgSQL: a', $2 = 'SQL '", 'too large'],
  ["PL/pgSQL function f() line 1 at assignment\nunnamed portal with parameters: $1 = 'a'", 'schema'],
  ['SQL-Funktion »f« Anweisung 1', 'schema'],
])('a value in the context of an error is no function: %s', (where, kind) => {
  expect(classifyError({ code: '54000', where })).toEqual({ kind });
});

test.each([
  'update or delete on table "a" violates foreign key constraint "b" on table "c"',
  'Aktualisieren oder Löschen in Tabelle »a« verletzt Fremdschlüssel-Constraint »b« von Tabelle »c«',
  'UPDATE ou DELETE sur la table « a » viole la contrainte de clé étrangère « b » de la table « c »',
  'テーブル"a"の更新または削除は、テーブル"c"の外部キー制約"b"に違反します',
])('a record that others refer to, in any language: %s', (message) => {
  expect(classifyError({ code: '23503', message, constraint: 'b' })).toEqual({
    kind: 'still referenced',
    constraint: 'b',
  });
});

test.each([
  'insert or update on table "a" violates foreign key constraint "b"',
  'Einfügen oder Aktualisieren in Tabelle »a« verletzt Fremdschlüssel-Constraint »b«',
  'inserción o actualización en la tabla «a» viola la llave foránea «b»',
])('a reference to nothing, in any language: %s', (message) => {
  expect(classifyError({ code: '23503', message, constraint: 'b' })).toEqual({
    kind: 'missing reference',
    constraint: 'b',
  });
});

test('a character that an encoding lacks is told from bytes that are none, in any language', () => {
  const [code, routine] = ['22P05', 'report_untranslatable_char'];
  const lacking =
    'Zeichen mit Byte-Folge 0xe2 0x82 0xac in Kodierung »UTF8« hat keine Entsprechung in Kodierung »LATIN1«';
  expect(classifyError({ code, routine, message: lacking }, 'LATIN1')).toMatchObject({ kind: 'value', lacks: '€' });
  const stored = 'Zeichen mit Byte-Folge 0x81 in Kodierung »WIN1252« hat keine Entsprechung in Kodierung »UTF8«';
  expect(classifyError({ code, routine, message: stored }, 'WIN1252')).toEqual({
    kind: 'unreadable',
    encoding: 'WIN1252',
  });
});
