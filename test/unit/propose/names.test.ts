import { expect, test } from 'vitest';
import { freeId, idOf } from '../../../src/propose/ids.ts';
import { titleOf, wordsOf } from '../../../src/propose/words.ts';

test.each([
  ['tbl_KundeEMail2', ['tbl', 'kunde', 'e', 'mail', '2']],
  ['HTTPServerName', ['http', 'server', 'name']],
  ['Ländername', ['landername']],
  ['  a--b  ', ['a', 'b']],
  ['???', ['']],
])('the words of %j', (name, words) => expect(wordsOf(name)).toEqual(words));

test.each([
  ['tbl_order_items', 'Order items'],
  ['v_umsatz', 'Umsatz'],
  ['t', 'T'],
  ['OrderItems', 'Order items'],
  ['Übersicht', 'Übersicht'],
  ['tbl_größenÜbersicht', 'Größen übersicht'],
  ['U\u0308bersicht', 'Übersicht'],
  ['テーブル', 'テーブル'],
  ['données_élèves', 'Données élèves'],
  ['ग्राहक_सूची', 'ग्राहक सूची'],
  ['İl_listesi', 'İl listesi'],
  ['заказы', 'Заказы'],
])('the title of %s', (name, title) => expect(titleOf(name)).toBe(title));

test.each([
  ['public', 'Order Items', 'order_items'],
  ['sales', 'Order Items', 'sales_order_items'],
  [null, '"x".y', 'x_y'],
  [null, '表格', '表格'],
  [null, 'テーブル', 'テーブル'],
  [null, 'U\u0308bersicht', 'übersicht'],
  [null, 'ग्राहक सूची', 'ग्राहक_सूची'],
  [null, '???', 'table'],
])('the id of %s.%s', (schema, name, id) => expect(idOf({ schema, name }, 'public')).toBe(id));

test('a taken id gets the name of its database, and then a number', () => {
  const takenNames = new Set(['film']);
  expect([
    freeId('film', 'erp', takenNames),
    freeId('film', 'erp', takenNames),
    freeId('film', 'erp', takenNames),
  ]).toEqual(['erp_film', 'film_2', 'film_3']);
  expect(takenNames.size).toBe(4);
});
