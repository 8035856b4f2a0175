/** Names and comments of a database, written as YAML: the loader must read them back unchanged. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSource } from '../../../src/config/source.ts';
import { substitute } from '../../../src/config/substitute.ts';
import { key, scalar } from '../../../src/values/yaml-scalar.ts';
import { fuzzCases } from '../../support/fuzz-cases.ts';

/** The value as the loader reads it. Variables are defined, but must not be substituted. */
function loaded(yaml: string): unknown {
  const outside = { variable: () => 'a secret', file: () => 'a secret' };
  const source = readSource(yaml, 'test.yaml', (text) => substitute(text, false, outside));
  if (!source.ok) throw new Error(JSON.stringify(source.complaints));
  expect(source.findings).toEqual([]);
  return source.tree;
}

const special = fc.constantFrom(
  `\${HOME}`,
  `$\${`,
  `\${file:/etc/passwd}`,
  '\n',
  '\r',
  '\u0085',
  '\u2028',
  '\ufeff',
  '"',
  '\\',
  '#',
  ': ',
  '\u202e',
  '\u007f',
  '\ud83d\ude00',
);
const hostile = fc
  .array(fc.oneof(special, fc.string({ unit: 'grapheme' })), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''))
  .filter((text) => text !== '__proto__');

test('any text comes back as it was, as a value, as a key and in a list', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(loaded(`{ value: ${scalar(text)}, list: [${scalar(text)}] }`)).toEqual({ value: text, list: [text] });
      expect(loaded(`{ ${key(text)}: 1 }`)).toEqual({ [text]: 1 });
      expect(loaded(`block:\n  value: ${scalar(text)} # a comment\n`)).toEqual({ block: { value: text } });
    }),
    fuzzCases(400),
  );
});

test.each(['true', 'No', 'null', '~', '12', '1e3', '', '-', '0x1', '2020-01-01'])('%j stays a text', (text) =>
  expect(loaded(`{ a: ${scalar(text)} }`)).toEqual({ a: text }),
);
