/** The page of the promises shows them with their tests, and the data fits the sources and the tests. `npm run promises` tries the mistakes. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type Promised, promises, promisesByArea } from '../promises.ts';
import { expectGenerated, read, root } from '../support/docs/pages.ts';

const row = ({ sentence, test: file }: Promised): string =>
  `| ${sentence} | [${basename(file, '.test.ts')}](../${file}) |`;

test('the page shows each promise with its test (UPDATE=1 writes it)', () => {
  const areas = Object.entries(promisesByArea).map(([area, some]) =>
    [`## ${area}`, '', '| Promise | Test |', '|---|---|', ...some.map(row), ''].join('\n'),
  );
  expectGenerated('promises', `\n${areas.join('\n')}\n`);
});

test('each has an id of its own, and one sentence', () => {
  expect(new Set(promises.map(({ id }) => id)).size).toBe(promises.length);
  expect(promises.filter(({ sentence }) => !/^[`A-Z].*[^.]\.$/.test(sentence)).map(({ id }) => id)).toEqual([]);
});

test('each test is there', () => {
  const isThere = ({ test: file, name }: Promised) =>
    existsSync(resolve(root, file)) &&
    // The name of a transcript is the name of its file.
    (read(resolve(root, file)).includes(name) || existsSync(join(root, dirname(file), name)));
  expect(promises.filter((promised) => !isThere(promised)).map(({ id }) => id)).toEqual([]);
});

test('the right text of each mistake stands once in its source file', () => {
  const times = ({ mistake: { file, right } }: Promised) => read(resolve(root, file)).split(right).length - 1;
  expect(promises.filter((promised) => times(promised) !== 1).map(({ id }) => id)).toEqual([]);
  expect(promises.filter(({ mistake: { right, wrong } }) => right === wrong).map(({ id }) => id)).toEqual([]);
});
