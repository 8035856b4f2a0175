import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytewise } from '../../../src/values/utf16.ts';

const character = fc.constantFrom('a', '~', '\u0080', 'ÿ', 'Ā', '\ud7ff', '\ue000', '！', '\uffff', '😀', '\u{10ffff}');
const text = fc.oneof(fc.string({ unit: character, maxLength: 4 }), fc.string({ unit: 'binary' }));

test('two texts sort as their bytes do', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [a, b] = [bytewise(one), bytewise(other)];
      expect(a < b ? -1 : a > b ? 1 : 0).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)));
    }),
  );
});
