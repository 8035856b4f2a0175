/** The explorer knows the gateway's refusals by their texts, so a new wording must not pass it by. */
import { expect, test } from 'vitest';
import type { ErrorKind } from '../../../src/model/catalog.ts';
import { refusal } from '../../../src/model/errors.ts';
import type { Type } from '../../../src/model/table.ts';
import { convert, typeName } from '../../../src/values/convert.ts';
import { films, int4 } from '../../support/table.ts';
import { inLanguage } from './in-language.ts';

const { refusalInWords } = await inLanguage<{ refusalInWords(text: string): string | null }>('de', 'edit/refusals.ts');

const numeric: Type = { kind: 'decimal', precision: 5, scale: 2, nan: false };
const date: Type = { kind: 'date', infinite: false };
const timestamp: Type = { kind: 'timestamp', digits: 3, zoned: true, infinite: false };
const short: Type = { kind: 'text', length: 2, padded: false, nul: false };

const values: readonly (readonly [Type, string, RegExp])[] = [
  [date, '2026-02-30', /^Ein Datum wie 27\.11\.2026/],
  [timestamp, 'soon', /^Ein Datum wie/],
  [date, 'infinity', /^Das ist mehr, als die Spalte fasst: date\.$/],
  [numeric, 'much', /^Eine Zahl wie/],
  [numeric, '123456', /fasst: numeric\(5,2\)\.$/],
  [int4, '1.5', /ganze Zahl/],
  [int4, '9007199254740993', /fasst: integer\.$/],
  [short, 'long', /fasst: character varying\(2\)\.$/],
  [short, '\0', /kein Wert/],
  [{ kind: 'uuid' }, 'x', /kein Wert/],
];
test.each(values.map(([type, sent, said]) => [typeName(type), sent, type, said] as const))(
  'a %s does not take %s',
  (_, sent, type, said) => {
    const converted = convert(sent, type);
    expect(converted.is === 'value' ? 'a value' : refusalInWords(converted.text)).toMatch(said);
  },
);

test.each<ErrorKind>([
  { kind: 'duplicate', constraint: null },
  { kind: 'null', column: 'title' },
  { kind: 'missing reference', constraint: null },
  { kind: 'still referenced', constraint: null },
  { kind: 'check' },
  { kind: 'trigger' },
  { kind: 'value', column: 'title' },
])('what the database refuses is said in German: %j', (meaning) => {
  const { records } = refusal(meaning, films, 0, null).details;
  const [text] = Array.isArray(records) ? records : [];
  expect(refusalInWords(String(text))).toMatch(
    /(?: nicht| nach| schon| einen Wert| auf diesen| kein Wert).*\.$|lehnt das ab\.$/,
  );
});
