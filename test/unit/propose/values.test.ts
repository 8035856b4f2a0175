/** What sampled values reveal about a column. */
import { expect, test } from 'vitest';
import type { CatalogTable } from '../../../src/model/catalog.ts';
import { evidenceIn } from '../../../src/propose/values.ts';

const table = (columns: readonly string[]): CatalogTable => ({
  ...{ schema: null, name: 't', kind: 'table', primaryKey: [], uniqueKeys: [], foreignKeys: [], keysHold: true },
  ...{ mayDefer: false, indexes: [], definition: null, transactional: true, searchIndexes: [] },
  sequence: { records: 'in any order', numbered: [], required: [] },
  columns: columns.map((name) => ({
    ...{
      name,
      label: name,
      type: { kind: 'text', length: null, padded: false, nul: false },
      resultType: '',
      native: '',
    },
    ...{ declared: '', nullable: true, readOnly: false, collation: null, charset: null, equality: 'exact', info: null },
  })),
  rights: { without: { SELECT: [], INSERT: [], UPDATE: [] }, mayDelete: true, schema: null, sequences: [] },
});

/** The verdict on a column `x` with these values, besides other columns. */
const verdictOn = (values: readonly (string | null)[], others: readonly string[] = []) => {
  const columns = ['x', ...others];
  const sample = { columns, rows: values.map((value) => [value, ...others.map(() => null)]) };
  return evidenceIn(table(columns), sample).privacy.get('x') ?? null;
};

const births = ['1951-02-03', '1960-12-31', '1978-05-05', '1984-01-01', '1999-09-09', '2001-11-30'];

test.each([
  ['cards', ['4111 1111 1111 1111', '5500005555555559', '340000000000009']],
  ['cards of one company', ['4012888888881881', '4222222222222']],
  ['IBANs', ['DE89 3704 0044 0532 0130 00', 'GB29NWBK60161331926819', 'FR1420041010050500013M02606']],
  ['one IBAN in five', ['a', 'b', 'c', 'd', 'NL91ABNA0417164300']],
  ['e-mail addresses', ['a.b@example.org', 'Ann <ann@example.org>', null, 'x']],
  ['e-mail addresses with umlauts', ['jörg@exämple.de']],
  ['phones', ['+49 30 1234567', '(555) 123-4567 ext. 12', '030/1234567', '697-555-0142']],
  ['social security numbers', ['078-05-1120']],
])('%s are personal', (_, values) => expect(verdictOn(values)).toBe('personal'));

test.each([
  ['JWT', 'Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc'],
  ['a setting', 'host=smtp.example.org;user=x;password=hunter2'],
  ['JSON', '{"smtp_password": "hunter2"}'],
  ['a URL', 'amqp://guest:hunter2@10.0.0.1/'],
  ['bcrypt', '$2y$10$abcdefghijklmnopqrstuv'],
  ['phpass', '$P$BabcdefgHIJK'],
  ['Django', 'pbkdf2_sha256$260000$abc$def='],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----'],
])('%s is a secret', (_, value) => expect(verdictOn(['harmless', value])).toBe('secret'));

test.each([
  ['numbers of articles', ['AR-5381', 'BA-8327', '12-3456-78']],
  ['EANs', ['4006381333931', '9783161484100', '0012345678905']],
  ['ISBNs', ['978-3-16-148410-0', '0-306-40615-2', '0306406152']],
  ['days', ['2020-01-01', '01.02.2020', '01/02/2020']],
  ['moments', ['2020-01-01 10:20:30.123456']],
  ['numbers', ['1', '22', '1000000000', '0000012345']],
  ['versions', ['1.2.3.4', '10.0.19041.1']],
  [
    'text about a password',
    ['Passwords must have 8 characters', 'Your password: choose one', 'Enter the token, please'],
  ],
  ['URLs', ['https://example.org/a?b=c', 'http://user@example.org/']],
  ['a text with an address in twenty', [...Array.from({ length: 20 }, () => 'a text'), 'a@example.org']],
  ['nothing', [null, '', '  ']],
  ['years of birth without a person', births],
])('%s say nothing', (_, values) => expect(verdictOn(values)).toBeNull());

test('days of birth are some in a table with other personal data', () => {
  expect(verdictOn(births, ['last_name'])).toBe('personal');
  expect(
    verdictOn(
      births.map((day) => `${day} 00:00:00`),
      ['last_name'],
    ),
  ).toBe('personal');
  expect(
    verdictOn(
      births.map(() => '2001-01-01'),
      ['last_name'],
    ),
  ).toBeNull();
  expect(
    verdictOn(
      births.map((day) => `20${day.slice(2)}`),
      ['last_name'],
    ),
  ).toBeNull();
});

test('a table of settings that holds a password hides its values', () => {
  const columns = ['setting', 'itsValue', 'remark'];
  const rows = [
    ['PRODUCTS_PER_PAGE', '10', 'a'],
    ['ENTRY_PASSWORD_MIN_LENGTH', '8', 'b'],
  ];
  expect(evidenceIn(table(columns), { columns, rows }).privacy).toEqual(new Map());
  const more = [...rows, ['EMAIL_SMTPAUTH_PASSWORD', 'hunter2', 'c']];
  expect(evidenceIn(table(columns), { columns, rows: more }).privacy).toEqual(new Map([['itsValue', 'secret']]));
});
