import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Headers, headersWithToken, identify, presentedToken } from '../../../src/accept/caller.ts';

const rows: readonly (readonly [fear: string, headers: Headers, token: string | null])[] = [
  ['none', {}, null],
  ['the raw token', { authorization: 'tok' }, 'tok'],
  ['blanks around it', { authorization: '  tok ' }, 'tok'],
  ['Bearer', { authorization: 'Bearer tok' }, 'tok'],
  ['bearer', { authorization: 'bEARER   tok' }, 'tok'],
  ['a token that begins like a scheme', { authorization: 'bearertok' }, 'bearertok'],
  ['the key header', { 'x-ckan-api-key': 'tok' }, 'tok'],
  ['both, as ckanapi sends them', { authorization: 'a', 'x-ckan-api-key': 'b' }, 'a'],
  ['Basic for a proxy, our token beside it', { authorization: 'Basic dTpw', 'x-ckan-api-key': 'b' }, 'b'],
  ['Basic alone', { authorization: 'Basic dTpw' }, null],
  ['empty', { authorization: '', 'x-ckan-api-key': ' ' }, null],
  ['a scheme without a token', { authorization: 'Bearer ' }, 'Bearer'],
  ['the key header twice', { 'x-ckan-api-key': 'a, b' }, null],
];
test.each(rows)('presented: %s', (_, headers, token) => {
  expect(presentedToken(headers, null)?.token ?? null).toBe(token);
});

test('a further header counts last, and is kept from the upstream if it carries our token', () => {
  const other = { 'x-my-token': 'tok' };
  expect(presentedToken(other, null)).toBeNull();
  expect(presentedToken(other, 'x-my-token')).toEqual({ token: 'tok', header: 'x-my-token', value: 'tok' });
  const both = { ...other, authorization: 'Bearer a' };
  expect(presentedToken(both, 'x-my-token')).toEqual({ token: 'a', header: 'authorization', value: 'Bearer a' });
  expect(headersWithToken(other, 'x-my-token', (token) => token === 'tok')).toEqual(['x-my-token']);
  expect(headersWithToken(other, null, (token) => token === 'tok')).toEqual([]);
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const rights = { read: 'all', write: 'all', where: new Map(), claims: {}, until: Number.POSITIVE_INFINITY } as const;
const token = (name: string, hash = sha256(name)) => ({ name, sha256: hash, ...rights });
const tokens = [token('one'), token('two', sha256('two').toUpperCase()), token('three')];

test('a token belongs to the owner of its hash', () => {
  for (const { name } of tokens) expect(identify(sha256(name), tokens)?.name).toBe(name);
});

test.each(['', sha256('four'), sha256('one').slice(0, 63), `${sha256('one')}0`])(
  'an unknown hash has no owner: %j',
  (hash) => {
    expect(identify(hash, tokens)).toBeNull();
  },
);

test('without tokens every caller is anonymous', () => {
  expect(identify(sha256('one'), [])).toBeNull();
});

test('a header that carries our token is found, however its name is spelled and whatever stands beside the token', () => {
  const dashes = ['-', '_'];
  const names = dashes.flatMap((a) => dashes.flatMap((b) => dashes.map((c) => `x${a}ckan${b}api${c}key`)));
  const isOurs = (text: string) => text === 'ours';
  for (const name of ['authorization', ...names])
    for (const value of ['ours', 'Bearer ours', 'theirs, ours', ' ours '])
      expect(headersWithToken({ host: 'ours', [name]: value, 'x-ckan-api-kez': 'ours' }, null, isOurs)).toEqual([name]);
  for (const name of ['authorization', ...names])
    expect(headersWithToken({ [name]: 'theirs', x_other: 'ours' }, null, isOurs)).toEqual([]);
  const all = Object.fromEntries(names.map((name) => [name, 'ours']));
  expect(headersWithToken(all, null, isOurs)).toEqual(names);
});
