/** A refusal of an unknown field suggests the one that was probably meant: cheaply, and never a hidden one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { datastore_search } from '../../../src/actions/index.ts';
import type { Json } from '../../../src/model/value.ts';
import { didYouMean, nearest } from '../../../src/values/nearest.ts';
import { column, films, int4, withColumns } from '../../support/table.ts';
import { plan } from './calling.ts';
import { refused } from './refused.ts';

/** Optimal string alignment distance, straight from its definition: slow, but obviously correct. */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  const least = Math.min(distance(x, b) + 1, distance(a, y) + 1, distance(x, y) + (a.at(-1) === b.at(-1) ? 0 : 1));
  const isSwapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return isSwapped ? Math.min(least, distance(a.slice(0, -2), b.slice(0, -2)) + 1) : least;
}

test('the nearest name is as near as the definition says', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 4 }), fc.integer({ min: 0, max: 4 }), (sent, known, most) => {
      const within = known.filter((one) => distance(sent, one) <= most);
      const found = nearest(sent, known, () => most);
      const least = Math.min(...within.map((one) => distance(sent, one)));
      expect(found).toBe(within.find((one) => distance(sent, one) === least) ?? null);
    }),
  );
});

describe.each([
  ['a letter is missing', 'titl', ', did you mean "title"?'],
  ['two letters are swapped', 'tilte', ', did you mean "title"?'],
  ['the case differs', 'TITLE', ', did you mean "title"?'],
  ['the name in the table is meant', 'Rückgabe', ', did you mean "Rück gabe"?'],
  ['it is quoted', '"titel"', ', did you mean "title"?'],
  ['nothing is near', 'nope', ''],
  ['it is too short to be near anything', 'x', ''],
])('%s', (_, name, hint) => {
  const read = (params: Record<string, Json>) => refused(() => plan(datastore_search, params));

  test('in fields, sort, filters and q', () => {
    expect(read({ fields: [name] })).toEqual({ fields: [`invalid value "${name}"${hint}`] });
    expect(read({ sort: `${name} desc` })).toEqual({ sort: [`invalid value "${name} desc"${hint}`] });
    expect(read({ sort: [name], distinct: true })).toEqual({ sort: [`invalid value "${name}"${hint}`] });
    expect(read({ filters: { [name]: 1 } })).toEqual({ filters: [`Unknown field: ${name}${hint}`] });
    expect(read({ filters: { $or: [{ [name]: 1 }] } })).toEqual({ filters: [`Unknown field: ${name}${hint}`] });
    expect(read({ q: { [name]: 'a' } })).toEqual({ q: [`invalid value "${name}"${hint}`] });
  });
});

test('of many unknown fields the first three get a hint', () => {
  const filters = { titel: 1, cod: 1, sen: 1, tag: 1, plac: 1 };
  expect(refused(() => plan(datastore_search, { filters }))).toEqual({
    filters: [
      'Unknown field: titel, did you mean "title"?',
      'Unknown field: cod, did you mean "code"?',
      'Unknown field: sen, did you mean "seen"?',
      'Unknown field: tag',
      'Unknown field: plac',
    ],
  });
});

test('a field that cannot be sorted, or asked for words, is not taken for a misspelt one', () => {
  expect(refused(() => plan(datastore_search, { sort: 'tags' }))).toEqual({ sort: ['invalid value "tags"'] });
  expect(refused(() => plan(datastore_search, { q: { poster: 'a' } }))).toEqual({ q: ['invalid value "poster"'] });
});

test('a name that is longer than 40 letters is compared with none', () => {
  const longNames = ['a'.repeat(40), 'b'.repeat(41)];
  expect(didYouMean(`${'a'.repeat(39)}x`, longNames)).toBe(`, did you mean "${longNames[0]}"?`);
  expect(didYouMean('b'.repeat(41), longNames)).toBe('');
  const table = withColumns(
    films,
    Array.from({ length: 1600 }, (_, nth) => column(`${'x'.repeat(36)}${nth}`, int4)),
  );
  const name = 'x'.repeat(200_000);
  expect(refused(() => plan(datastore_search, { fields: [name] }, table))).toEqual({
    fields: [`invalid value "${name.slice(0, 200)}…"`],
  });
});
