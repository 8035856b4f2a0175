/** How a user arranges the grid: widths and frozen columns, and what is done with what was kept. */
import { expect, test } from 'vitest';
import { inLanguage } from './in-language.ts';

// Unlike browsers, Node 20 has no JSON.rawJSON, so no value is a raw number there.
if (!('isRawJSON' in JSON)) Object.assign(JSON, { isRawJSON: () => false });

interface Arrangement {
  readonly widths: Readonly<Record<string, number>>;
  readonly frozen: string | null;
}
interface Tested {
  arrangementOf(kept: string): Arrangement;
  withWidth(now: Arrangement, name: string, pixels: number | null): Arrangement;
  frozenCount(
    now: Arrangement,
    columns: readonly { readonly column: { readonly name: string }; readonly width: number }[],
    label: string | null,
    room: number,
  ): number;
}
const { arrangementOf, withWidth, frozenCount } = await inLanguage<Tested>('en', 'table/arrangement.ts');
const none = { widths: {}, frozen: null };

test.each(['', '{', '[]', '7', '{"widths":[1],"frozen":1}', '{"widths":{"a":-1,"b":"x","c":1e9}}'])(
  'what was kept as %s is nothing',
  (kept) => {
    expect(arrangementOf(kept)).toEqual(none);
  },
);

test('widths are kept within bounds, and can be given back', () => {
  const one = withWidth(withWidth(none, 'a', 1), 'b', 123.4);
  expect(one.widths).toEqual({ a: 48, b: 123 });
  expect(arrangementOf(JSON.stringify(one))).toEqual(one);
  expect(withWidth(one, 'a', null).widths).toEqual({ b: 123 });
});

test('columns are frozen up to one, by default the name of the records, and leave room for others', () => {
  const columns = ['name', 'b', 'c'].map((name) => ({ column: { name }, width: 200 }));
  const count = (frozen: string | null, label: string | null = 'name', room = 1000) =>
    frozenCount({ widths: {}, frozen }, columns, label, room);
  expect([count(null), count(null, null), count('c'), count(''), count('gone')]).toEqual([1, 0, 3, 0, 0]);
  expect(count('c', 'name', 600)).toBe(2);
  expect(count('c', 'name', 100)).toBe(1);
});
