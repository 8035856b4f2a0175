import { expect, test } from 'vitest';
import { readVector } from '../../../src/dialects/postgres/vector.ts';
import { column, text } from '../../support/table.ts';

const json = { kind: 'json', binary: true, finds: 'numeric' } as const;
const columns = [
  ...['name', 'Full name'].map((name) => column(name, text, { nullable: false })),
  ...['a', 'b'].map((name) => column(name, text, { nullable: true })),
  column('doc', json, { nullable: false }),
];
const read = (expression: string) => readVector(expression, (name) => columns.find((one) => one.name === name));
const english = "'english'::regconfig";

test.each([
  [`to_tsvector(${english}, name)`, ['name']],
  [`to_tsvector(${english}, (name)::text)`, ['name']],
  [`to_tsvector('pg_catalog.english'::regconfig, COALESCE(a, ''::text))`, ['a']],
  [`to_tsvector(${english}, COALESCE(a, ' \n'::text))`, ['a']],
  [`to_tsvector(${english}, ((COALESCE(a, ''::text) || ' '::text) || COALESCE(b, ''::text)))`, ['a', 'b']],
  [
    `to_tsvector(${english}, (((COALESCE(a, ''::character varying))::text || '  '::text) || ("Full name")::text))`,
    ['a', 'Full name'],
  ],
  [
    `(setweight(to_tsvector(${english}, COALESCE(a, ''::text)), 'A'::"char") || to_tsvector(${english}, name))`,
    ['a', 'name'],
  ],
  [`to_tsvector(${english}, (doc)::text)`, ['doc']],
  [`to_tsvector(${english}, ((COALESCE((doc)::text, ''::text) || ' '::text) || name))`, ['doc', 'name']],
])('all words of the columns are in %s', (expression, columns) => {
  expect(read(expression)).toEqual({ language: 'english', columns, mayBeNull: false });
});

test('one column alone may be NULL', () => {
  for (const expression of [`to_tsvector(${english}, a)`, `setweight(to_tsvector(${english}, (a)::text), 'A'::"char")`])
    expect(read(expression)).toEqual({ language: 'english', columns: ['a'], mayBeNull: true });
});

test.each([
  ['a column that may be NULL beside another', `to_tsvector(${english}, ((name || ' '::text) || a))`],
  ['COALESCE around two', `to_tsvector(${english}, COALESCE(((a || ' '::text) || b), ''::text))`],
  ['a word for NULL', `to_tsvector(${english}, COALESCE(a, 'unknown'::text))`],
  ['a sign for NULL', `to_tsvector(${english}, ((COALESCE(a, '-'::text) || ' '::text) || name))`],
  ['a blank that may be a letter', `to_tsvector(${english}, COALESCE(a, '\u00a0'::text))`],
  ['no blank between two', `to_tsvector(${english}, (name || COALESCE(a, ''::text)))`],
  ['a word between two', `to_tsvector(${english}, ((name || ' it''s '::text) || COALESCE(a, ''::text)))`],
  ['a word before one', `to_tsvector(${english}, ('by '::text || name))`],
  ['a comma between two', `to_tsvector(${english}, ((name || ', '::text) || COALESCE(a, ''::text)))`],
  ['something else between two', `to_tsvector(${english}, ((name || '-'::text) || COALESCE(a, ''::text)))`],
  ['a part of the column', `to_tsvector(${english}, "left"(name, 100))`],
  ['a function', `to_tsvector(${english}, replace(name, 'x'::text, 'y'::text))`],
  ['a cast that cuts', `to_tsvector(${english}, ((name)::character varying(3))::text)`],
  ['two languages', `(to_tsvector(${english}, name) || to_tsvector('simple'::regconfig, COALESCE(a, ''::text)))`],
  ['the language of a column', 'to_tsvector(language, name)'],
  ['the default language', 'to_tsvector(name)'],
  ['a CASE', `CASE WHEN a IS NULL THEN NULL::tsvector ELSE to_tsvector(${english}, name) END`],
  ['an escape', `to_tsvector(${english}, ((name || E'\\\\ '::text) || COALESCE(a, ''::text)))`],
  ['a document of JSON', `to_tsvector(${english}, doc)`],
  ['a document of JSON beside a text', `(to_tsvector(${english}, doc) || to_tsvector(${english}, name))`],
  ['a column that is not there', `to_tsvector(${english}, gone)`],
  ['no expression', ''],
  ['half of one', `to_tsvector(${english}, name`],
])('%s is no proof', (_, expression) => {
  expect(read(expression)).toBeNull();
});
