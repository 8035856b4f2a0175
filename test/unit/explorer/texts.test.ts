/** Each language is whole: no text of it is left in English, and French is set as the French set it. */
import { describe, expect, test } from 'vitest';
import { texts as de } from '../../../src/explorer/page/texts/de/index.ts';
import { en } from '../../../src/explorer/page/texts/en/index.ts';
import { texts as fr } from '../../../src/explorer/page/texts/fr/index.ts';
import type { Texts } from '../../../src/explorer/page/texts/words.ts';

/** All texts by their place. A function is called for none, one, two and many. */
function textsIn(value: unknown, place = ''): readonly (readonly [place: string, text: string])[] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value !== 'function')
    return Object.entries(value ?? {}).flatMap(([name, one]) => textsIn(one, `${place}.${name}`));
  const given = (n: number) => Array.from({ length: value.length }, (_, nth) => (nth === 0 ? '§' : n));
  return [0, 1, 2, 7].map((n) => [`${place} ${n}`, String(value(...given(n)))]);
}

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
const english = new Set(textsIn(en).flatMap(([, text]) => wordsIn(text)));

const everywhere = wordsIn(
  `API OpenAPI XLSX CSV TSV XML JSON lines GeoJSON Parquet Excel LibreOffice DuckDB pandas Arrow QGIS UTF UTC null
  Chrome Edge Firefox Safari Natural Earth DCAT dry_run TOKEN id`,
);
const languages = [
  {
    ...{ name: 'German', texts: de },
    /** Words that English has, too. */
    shared: wordsIn(
      `browser text name sitemap token in tab filter parameter was link site auto enter also byte bytes format web gateway so land
      code trigger import`,
    ),
    same: ['Name', 'Sitemap', 'Filter', 'Token', '◐ Auto', 'Format', 'Parameter', 'Land: Natural Earth'],
  },
  {
    ...{ name: 'French', texts: fr },
    shared: wordsIn(
      `table tables moment site page en date document condition menu ctrl format part exact version licence contact source
      longitude latitude long on images code description catalogue`,
    ),
    same: [
      '§ tables',
      'date',
      'document',
      'Ctrl C',
      'Condition',
      'Format',
      'Licence',
      'Source',
      'Contact',
      'Catalogue (DCAT)',
    ],
  },
] as const;

describe.each(languages)('$name', ({ texts, shared, same }) => {
  test('no text is that of English, but for a named few', () => {
    const before = new Map(textsIn(en));
    const left = textsIn(texts).filter(([place, text]) => before.get(place) === text && wordsIn(text).length > 0);
    const isName = (text: string) => wordsIn(text).every((word) => everywhere.includes(word));
    expect(left.map(([, text]) => text).filter((text) => !isName(text) && !same.some((one) => one === text))).toEqual(
      [],
    );
  });

  test('no English word is in a text, but for those that both languages have', () => {
    const words = new Set(textsIn(texts).flatMap(([, text]) => wordsIn(text)));
    expect([...words].filter((word) => english.has(word) && ![...everywhere, ...shared].includes(word))).toEqual([]);
  });
});

test('French has narrow spaces that do not break before two-part signs and inside of its quotes, and round apostrophes', () => {
  const wrong = /(?<![\u202f\d])[;:!?»]|«(?!\u202f)|'|"| …/;
  expect(textsIn(fr).filter(([, text]) => wrong.test(text))).toEqual([]);
});

test('one is in the singular, and in French nothing is, too', () => {
  const counted = [en, de, fr].map(({ page }) => [0, 1, 2].map((n) => page.count(String(n), n)));
  expect(counted).toEqual([
    ['0 records', '1 record', '2 records'],
    ['0 Datensätze', '1 Datensatz', '2 Datensätze'],
    ['0 enregistrement', '1 enregistrement', '2 enregistrements'],
  ]);
  const one = ({ page, edit }: Texts) => [
    ...[page.allColumns('1', 1), page.othersOf('1', 1), page.bytes('1', 1)],
    ...[edit.others('1', 1), edit.wrongCells('7', '1', 1, '2')],
  ];
  expect([en, de, fr].map(one)).toEqual([
    [
      ...['1 column', '1 other value', '1 byte', '1 column stays as it is'],
      'Line 7 has 1 value, and the first line 2.',
    ],
    [...['1 Spalte', '1 anderer Wert', '1 Byte', '1 Spalte bleibt, wie sie ist'], 'Zeile 7 hat 1 Wert, die erste 2.'],
    [
      ...['1 colonne', '1 autre valeur', '1 octet', '1 colonne reste telle quelle'],
      'La ligne 7 a 1 valeur, et la première 2.',
    ],
  ]);
});
