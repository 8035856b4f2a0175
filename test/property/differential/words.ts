import fc from 'fast-check';

/** Different texts, some of which are equal in some collations. */
export const similarTexts = ['a', 'A', 'ä', 'Ä', 'a ', 'A ', 'ab', 'AB', 'aB ', 'ss', 'ß'];
/** Letters with and without case. */
export const letters = [...'aAbBäÄéÉßẞжЖΣςσıǅⅧ😀𐐀𐐨中', '\u212a', 'e\u0301'];
/** Texts with a special meaning in SQL, LIKE, JSON, or as numbers. */
export const words = [
  ...[
    '',
    ' ',
    'a ',
    ' a',
    'ab',
    'Ab',
    'AB',
    'SS',
    '😀a',
    '%',
    '_',
    'a%b',
    'a_b',
    'axb',
    '\\',
    '\\\\',
    "'",
    "''",
    '"',
    '`',
  ],
  ...[
    '?',
    ':a',
    '$1',
    '--',
    ';',
    '/*',
    '|',
    '|%',
    '0',
    '1',
    '1.0',
    '2.50',
    '1e2',
    '-1',
    'true',
    'null',
    'NULL',
    '{}',
    '[1]',
  ],
  ...['a\nb', 'a\tb', '\r', '\u0001', '\u00a0', '\ufeff', '2024-02-29', '\\x00', 'abc', 'x'.repeat(8), ...letters],
];

/**
 * Excludes letters that got a lower or upper case after Unicode 5.2, because MySQL does not fold them while PostgreSQL does. Of the letters with
 * case, only well-known ranges are used.
 */
const settled = (letter: string) =>
  (letter.toLowerCase() === letter && letter.toUpperCase() === letter) ||
  /^[\0-\u012f\u0131-\u0233Α-ώА-я]$/u.test(letter);
export const anyText = fc
  .string({ unit: 'binary', maxLength: 20 })
  .map((text) =>
    Array.from(text.toWellFormed(), (letter) => (letter === '\0' || !settled(letter) ? '中' : letter)).join(''),
  );
