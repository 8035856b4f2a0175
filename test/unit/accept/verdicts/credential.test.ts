/** Which part of a request is a login of the upstream. */
import { expect, test } from 'vitest';
import { presentedToken } from '../../../../src/accept/caller.ts';
import { anonymous, loginCookies, ofCookies, ofToken } from '../../../../src/accept/verdicts/credential.ts';

const names = ['ckan', 'remember_token'];
const own = { 'sec-fetch-site': 'same-origin' };
/** The hash may be any text that differs from text to text. */
const hash = (text: string) => `#${text}`;

test.each<[method: string, site: string | undefined, counts: boolean]>([
  ['GET', undefined, true],
  ['HEAD', undefined, true],
  ['POST', undefined, false],
  ['PUT', undefined, false],
  ['OPTIONS', undefined, false],
  ['get', undefined, false],
  ['GET', 'same-origin', true],
  ['POST', 'same-origin', true],
  ['GET', 'none', true],
  ['POST', 'none', true],
  ['GET', 'same-site', false],
  ['POST', 'same-site', false],
  ['GET', 'cross-site', false],
  ['HEAD', 'cross-site', false],
  ['POST', 'cross-site', false],
  ['GET', '', false],
  ['GET', 'Same-Origin', false],
  ['GET', 'same-origin, cross-site', false],
  ['GET', 'same-origin;x', false],
  ['GET', 'something-new', false],
])('cookies of %s with Sec-Fetch-Site %s count: %s', (method, site, counts) => {
  const headers = { cookie: 'ckan=1', ...(site === undefined ? {} : { 'sec-fetch-site': site }) };
  expect(loginCookies(method, headers, names)).toBe(counts ? 'ckan=1' : '');
});

test('a Sec-Fetch-Site that is given twice counts as none of the allowed values', () => {
  expect(loginCookies('GET', { cookie: 'ckan=1', 'sec-fetch-site': ['same-origin', 'none'] }, names)).toBe('');
});

test.each([
  ['ckan=1', 'ckan=1'],
  ['a=1; ckan=2; b=3; remember_token=4', 'ckan=2; remember_token=4'],
  ['a=1;ckan=2;b=3', 'ckan=2'],
  ['ckan=a=b==', 'ckan=a=b=='],
  ['ckan="a b"', 'ckan="a b"'],
  ['ckan=1; ckan=2', 'ckan=1; ckan=2'],
  ['ckan=', 'ckan='],
  ['ckan', ''],
  ['=ckan', ''],
  ['Ckan=1', ''],
  ['ckan =1', ''],
  ['xckan=1', ''],
  ['ckan_x=1', ''],
  ['session=ckan=1', ''],
  ['', ''],
  [';;;', ''],
])('of the cookies %j the upstream gets %j', (cookie, sent) => {
  expect(loginCookies('GET', { cookie, ...own }, names)).toBe(sent);
});

test('without names no cookie counts', () => {
  expect(loginCookies('GET', { cookie: 'ckan=1; =2; 3', ...own }, [])).toBe('');
  expect(loginCookies('GET', own, names)).toBe('');
  expect(ofCookies('', hash)).toBe(anonymous);
});

test('a credential sends its own header alone, and differs by kind and value', () => {
  const tokens = [
    { header: 'authorization', value: 'T' },
    { header: 'authorization', value: 'Bearer T' },
    { header: 'x-ckan-api-key', value: 'T' },
    { header: 'x-other', value: 'T' },
  ];
  const all = [...tokens.map((one) => ofToken(one, hash)), ofCookies('ckan=T', hash), ofCookies('T', hash), anonymous];
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  expect(all.map(({ headers }) => headers)).toEqual([
    { authorization: 'T' },
    { authorization: 'Bearer T' },
    { 'x-ckan-api-key': 'T' },
    { 'x-other': 'T' },
    { cookie: 'ckan=T' },
    { cookie: 'T' },
    {},
  ]);
  expect(all.map(({ kind }) => kind)).toEqual([...Array(4).fill('token'), 'cookies', 'cookies', 'anonymous']);
});

test('a token may come in the configured header, after the usual ones', () => {
  const headers = { 'x-other': 'other', 'x-ckan-api-key': 'key', authorization: 'Bearer token' };
  expect(presentedToken(headers, 'x-other')).toEqual({
    ...{ token: 'token', header: 'authorization', value: 'Bearer token' },
  });
  expect(presentedToken({ ...headers, authorization: 'Basic abc=' }, 'x-other')?.token).toBe('key');
  expect(presentedToken({ 'x-other': 'other' }, 'x-other')).toEqual({
    ...{ token: 'other', header: 'x-other', value: 'other' },
  });
  expect(presentedToken({ 'x-other': 'other' }, null)).toBeNull();
});
