/** JSON that grows with a size: the longest, deepest, most numerous of everything that may be expensive to parse. */

/** The meaning of the size: characters of a text or number, items of a list, members of an object. */
export interface Shape {
  readonly name: string;
  /** Returns JSON text. */
  make(size: number): string;
}

const nul = '\\u0000';

/** Units to repeat until a text has the right length, as they are written in JSON. */
const units: readonly string[] = [
  ...[
    'a',
    '7',
    '0',
    ' ',
    '\\n',
    '%',
    '+',
    '_',
    '&',
    '=',
    ',',
    ';',
    '.',
    ':',
    '-',
    "'",
    '`',
    '\\"',
    '\\\\',
    '\\"\\"',
    '%\\\\',
  ],
  ...[
    '{',
    '}',
    '[',
    '(',
    ')',
    '!',
    '|',
    '*',
    '<',
    '\\"a\\"',
    'a ',
    'a,',
    'a,\\"',
    'a\\tb',
    '%a',
    '_%',
    '%0A',
    '%u0',
    '1e5',
    '1-',
    '0:',
  ],
  ...['🦔', '\u202e', '\u0301', 'ß', 'ŉ', 'é', nul, '\\ud800', '\\u00e9', '\\u2028', '\\ufeff'],
  ...[
    '{}',
    '{},',
    '{a,',
    '{\\"a\\",',
    '[1,',
    '{\\"a\\":',
    'id,',
    'id desc,',
    'id asc nulls last,',
    'a & ',
    '!a|',
    '(a<->',
    'a:*|',
    '$or',
  ],
  ...['1 day ', '2020-01-01 ', '12:', '\\\\x00', 'NaN', 'NULL,', '--', '/*', '?', '$1', '??', ':a'],
];

const text = (content: string) => `"${content}"`;
const filled = (unit: string, size: number) => unit.repeat(Math.max(1, Math.floor(size / Buffer.byteLength(unit))));

/** Texts with a different beginning or end: expensive for parsers and regular expressions that retry at each position. */
const ends: readonly (readonly [name: string, make: (filling: (unit: string) => string) => string])[] = [
  ['a number, blanks and a letter', (fill) => `1${fill(' ')}x`],
  ['zeros before a digit', (fill) => `${fill('0')}1`],
  ['a fraction of zeros before a digit', (fill) => `0.${fill('0')}1`],
  ['a fraction of zeros', (fill) => `1.${fill('0')}`],
  ['an exponent of digits', (fill) => `1e${fill('9')}`],
  ['braces that are closed', (fill) => `${fill('{')}${fill('}')}`],
  ['braces around a value', (fill) => `${fill('{')}1${fill('}')}`],
  ['an array of one element', (fill) => `{\\"${fill('a')}\\"}`],
  ['an array of many elements', (fill) => `{${fill('1,')}1}`],
  ['an array of quoted elements', (fill) => `{${fill('\\"\\",')}NULL}`],
  ['parentheses that are closed', (fill) => `${fill('(')}a${fill(')')}`],
  ['a tsquery of operators', (fill) => `a${fill('&a')}`],
  ['a tsquery of quotes', (fill) => `'${fill("''")}'`],
  ['a date and a fraction', (fill) => `2020-01-01 00:00:00.${fill('0')}1`],
  ['a year of many digits', (fill) => `${fill('9')}-01-01`],
  ['a time of many digits', (fill) => `${fill('9')}:00:00`],
  ['an interval of many parts', (fill) => `${fill('1 day ')}1 day`],
  ['money of many digits', (fill) => `$${fill('9')}.5`],
  ['an address of many parts', (fill) => `${fill('1:')}:1`],
  ['JSON that nests', (fill) => `${fill('[')}${fill(']')}`],
  ['JSON of many members', (fill) => `{\\"a\\":[${fill('1.50,')}1]}`],
  ['JSON of one name, many times', (fill) => `{${fill('\\"a\\":1,')}\\"b\\":1}`],
  ['filters of many operators', (fill) => `{\\"id\\":[${fill('{\\"gt\\":1},')}{\\"lt\\":2}]}`],
  ['blanks before JSON', (fill) => `${fill(' ')}{\\"t\\":\\"a\\"}`],
  ['an identifier in quotes', (fill) => `\\"${fill('\\"\\"')}\\" desc`],
  ['a name in quotes and blanks', (fill) => `\\"id\\"${fill(' ')}desc`],
];

/** Items of lists and values of members. Each differs from the previous one if that is more expensive. */
const items: readonly (readonly [name: string, item: (nth: number) => string])[] = [
  ['ones', () => '1'],
  ['numbers', (nth) => String(nth)],
  ['exact numbers', (nth) => `${nth}.50`],
  ['long numbers', (nth) => `12345678901234567890${nth}`],
  ['exponents', (nth) => `${nth + 1}e126000`],
  ['texts of exponents', (nth) => `"${nth + 1}e131000"`],
  ['small exponents', (nth) => `"-${nth + 1}e-16000"`],
  ['empty texts', () => '""'],
  ['texts', (nth) => `"t${nth}"`],
  ['quotes', () => `"\\"'\\\\"`],
  ['nulls', () => 'null'],
  ['empty objects', () => '{}'],
  ['empty lists', () => '[]'],
  ['lists of lists', (nth) => `[[${nth}],[]]`],
  ['objects', (nth) => `{"id":${nth}}`],
  ['objects of one name', () => '{"t":"a"}'],
  ['operators', (nth) => `{"gt":${nth}}`],
  ['unknown names', (nth) => `{"k${nth}":1}`],
  ['names', () => '"id"'],
  ['names to sort by', () => '"id desc nulls last"'],
  ['quoted names', () => '"\\"id\\""'],
  ['array literals', (nth) => `"{${nth},NULL}"`],
  ['dates', (nth) => `"2020-01-01 00:00:00.${nth}"`],
];

const list = (size: number, item: (nth: number) => string) =>
  `[${Array.from({ length: size }, (_, nth) => item(nth)).join(',')}]`;
const members = (size: number, name: (nth: number) => string, value: (nth: number) => string) =>
  `{${Array.from({ length: size }, (_, nth) => `"${name(nth)}":${value(nth)}`).join(',')}}`;
const deep = (open: string, close: string, depth: number, inner = '1') =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`;

export const shapes: readonly Shape[] = [
  ...units.map((unit) => ({ name: `a text of ${unit}`, make: (size: number) => text(filled(unit, size)) })),
  ...ends.map(([name, make]) => ({ name, make: (size: number) => text(make((unit) => filled(unit, size / 2))) })),
  { name: 'a number of many digits', make: (size) => '9'.repeat(size) },
  { name: 'a number of many places', make: (size) => `0.${'0'.repeat(size)}1` },
  { name: 'a number with an exponent', make: (size) => `-1e${size}` },
  { name: 'a number with a small exponent', make: (size) => `1.5e-${size}` },
  ...items.map(([name, item]) => ({ name: `a list of ${name}`, make: (size: number) => list(size, item) })),
  ...items.map(([name, item]) => ({
    name: `a list of a list of ${name}`,
    make: (size: number) => `[${list(size, item)}]`,
  })),
  ...items.map(([name, item]) => ({
    name: `members of ${name}`,
    make: (size: number) => members(size, (nth) => `k${nth}`, item),
  })),
  { name: 'a long name', make: (size) => `{"${'n'.repeat(size)}":1}` },
  { name: 'a name of escapes', make: (size) => `{"${filled(nul, size)}":1}` },
  { name: 'alternatives', make: (size) => `{"$or":${list(size, (nth) => `{"id":${nth}}`)}}` },
  { name: 'alternatives of nothing', make: (size) => `{"$and":${list(size, () => '{}')}}` },
  { name: 'alternatives that nest', make: (size) => deep('{"$or":[', ']}', Math.min(size, 14), '{"id":1}') },
  { name: 'lists that nest', make: (size) => deep('[', ']', Math.min(size, 28)) },
  { name: 'lists that nest too deep', make: (size) => deep('[', ']', Math.min(size, 2000)) },
  { name: 'objects that nest', make: (size) => deep('{"a":', '}', Math.min(size, 28)) },
  { name: 'many lists that nest', make: (size) => list(Math.ceil(size / 28), () => deep('[', ']', 27)) },
  { name: 'many objects that nest', make: (size) => list(Math.ceil(size / 28), () => deep('{"a":', '}', 27)) },
];
