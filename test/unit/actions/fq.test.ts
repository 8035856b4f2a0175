import { expect, test } from 'vitest';
import { readFq } from '../../../src/actions/packages/fq.ts';
import { Params } from '../../../src/actions/params.ts';
import { noMetadata } from '../../../src/model/metadata.ts';
import type { Json } from '../../../src/model/value.ts';
import { refused } from './refused.ts';

const facts = (name: string) => ({ ...noMetadata, publisher: { name, url: null, email: null } });
const dataset = { name: 'd', uuid: '', title: '', description: '', facts: facts('Office A'), tables: [] };
const changed = { ...dataset, modified: '2026-11-27T09:21:00.500000', from: null, to: null, tables: [] };

function matches(fq: Json): boolean {
  const params = new Params({ fq });
  const read = readFq(params);
  params.check();
  return read.matches(read.needsChange ? changed : dataset);
}

test.each<[Json, boolean]>([
  ['', true],
  ['*:*', true],
  ['organization:office-a', true],
  ['organization:"office-a"', true],
  ['organization:b OR organization:office-a', true],
  ['organization:b OR organization:c', false],
  ['-organization:office-a', false],
  ['-organization:b -organization:c', true],
  ['groups:x', false],
  ['-groups:x', true],
  ['metadata_modified:[2026-11-27T09:21:00.5Z TO *]', true],
  ['metadata_modified:[2026-11-27T09:21:00.500001Z TO *]', false],
  [['organization:office-a', 'metadata_modified:[2026-11-27T09:21:01Z TO *]'], false],
])('fq %j', (fq, expected) => expect(matches(fq)).toBe(expected));

test.each<Json>([
  'title:x',
  'OR',
  'OR *:*',
  '*:* OR',
  '*:* OR OR *:*',
  'metadata_modified:[* TO NOW]',
  { a: 1 },
  'x'.repeat(9),
])('fq %j is refused: the harvester then asks for all', (fq) =>
  expect(refused(() => matches(fq))).toEqual({ fq: [expect.stringMatching(/^must be \*:\*, .* got: /)] }),
);

test('a long fq costs no time', () => {
  const began = performance.now();
  expect(refused(() => matches('[ '.repeat(100_000)))).toEqual({ fq: [expect.any(String)] });
  expect(refused(() => matches('*:* '.repeat(101)))).toEqual({ fq: ['must have at most 100 words, got: 101'] });
  expect(performance.now() - began).toBeLessThan(1000);
});
