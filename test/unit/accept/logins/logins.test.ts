/** Which tokens are logins, and how long a verdict is kept, by clocks of the test. */
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { IssuerSettings } from '../../../../src/accept/logins/issuer.ts';
import { Logins } from '../../../../src/accept/logins/logins.ts';
import { Unverified } from '../../../../src/accept/logins/unverified.ts';
import { Claim } from '../../../../src/model/claim.ts';
import type { Event } from '../../../../src/model/events.ts';
import type { Anonymous, Caller } from '../../../../src/model/http.ts';
import { toJson } from '../../../../src/values/json.ts';
import {
  audience,
  type IdentityProvider,
  identityProvider,
  type SigningKey,
  signed,
  signingKey,
  tokenOf,
} from '../../../support/identity-provider.ts';

let provider: IdentityProvider;
let key: SigningKey;
let other: SigningKey;
/** Seconds of both clocks. */
let now = 0;
const events: Event[] = [];
beforeAll(async () => {
  [key, other] = await Promise.all([signingKey('key'), signingKey('other')]);
  provider = await identityProvider([key]);
});
beforeEach(() => {
  provider.keys = [key];
  now = 1_800_000_000;
  events.length = 0;
});
afterAll(() => provider?.close());

const tenant = { tenant: new Claim(['tenant']) };
const open = (more: Partial<IssuerSettings> = {}) => {
  const { issuer, jwksUrl } = provider;
  const grants = [
    { when: new Map(), read: 'all', write: new Set<string>(), where: new Map([['lines', tenant]]) },
  ] as const;
  const settings = { name: 'staff', issuer, jwksUrl, audience, algorithms: ['ES256'], type: null, issuedAfter: null };
  const clocks = { now: () => now * 1000, date: () => now * 1000 };
  return new Logins(
    [{ ...settings, forward: false, grants, ...more }],
    ['lines'],
    (event) => events.push(event),
    clocks,
  );
};
const token = (claims: JWTPayload = {}, by = key) => tokenOf(provider.issuer, by, claims, {}, now);
/** The hash may be any text that differs from token to token. */
const find = (logins: Logins, jwt: string) => logins.find(jwt, jwt);
async function logIn(logins: Logins, jwt: string): Promise<Caller | Anonymous> {
  const found = find(logins, jwt);
  if (found === null) throw new Error('not of a configured issuer');
  return found instanceof Unverified ? found.verify() : found;
}
const checks = () => events.flatMap((event) => (event.on === 'login checked' ? [event.result] : []));
const asCaller = (sender: Caller | Anonymous): Caller => {
  if (typeof sender === 'string') throw new Error(sender);
  return sender;
};

test('only a token of three parts that names a configured issuer is a login', async () => {
  const logins = open();
  expect(find(logins, await token())).toBeInstanceOf(Unverified);
  const parts = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  for (const text of [
    'a-token-of-ckan',
    parts({}),
    parts({ iss: null }),
    parts({ iss: [provider.issuer] }),
    parts({ iss: provider.issuer.toUpperCase() }),
    parts({ iss: `${provider.issuer}/` }),
    parts([]),
    parts(7),
    'a.b.c',
    '..',
    `${await token()}.x.y`,
    (await token()).split('.').slice(0, 2).join('.'),
  ]) {
    expect([text, find(logins, text)]).toEqual([text, null]);
    expect(logins.withholds(text)).toBe(false);
  }
  expect(checks()).toEqual([]);
});

test('tokens of an issuer are withheld from the upstream, valid or not, unless it knows the issuer', async () => {
  for (const jwt of [await token(), await token({ exp: 0 }), await token({}, other)]) {
    expect(open().withholds(jwt)).toBe(true);
    expect(open({ forward: true }).withholds(jwt)).toBe(false);
  }
});

test('a caller has the rights and filters of its grant, and each digit of its claims', async () => {
  const claims = `{"iss":"${provider.issuer}","aud":"${audience}","sub":"ana","exp":${now + 60},"tenant":9007199254740993}`;
  const caller = asCaller(await logIn(open(), await signed(key, claims)));
  expect(caller).toMatchObject({ name: 'staff/ana', read: new Set(['lines']), write: new Set() });
  expect(caller.where.get('lines')).toBe(tenant);
  expect(toJson(caller.claims.tenant ?? null)).toBe('9007199254740993');
});

test.each([
  ['its token, with the tolerance', 60, 90],
  ['five minutes', 3600, 300],
])('a verdict ends with %s', async (_, lifetime, seconds) => {
  const logins = open();
  const jwt = await token({ exp: now + lifetime });
  const caller = asCaller(await logIn(logins, jwt));
  expect(caller.until).toBe((now + seconds) * 1000);
  now += seconds - 1;
  expect(find(logins, jwt)).toBe(caller);
  now += 1;
  expect(find(logins, jwt)).toBeInstanceOf(Unverified);
  expect(checks()).toEqual(['valid']);
});

test('refusals are not kept', async () => {
  const logins = open();
  const early = await token({ nbf: now + 60 });
  expect(await logIn(logins, early)).toBe('unknown token');
  now += 31;
  expect(asCaller(await logIn(logins, early)).name).toBe('staff/ana');
  expect(await logIn(logins, await token({ exp: now - 31 }))).toBe('expired token');
  expect(checks()).toEqual(['refused', 'valid', 'expired']);
});

test('a clock that is an hour off lets nobody in', async () => {
  const jwt = await token({ nbf: now });
  now -= 3600;
  expect(await logIn(open(), jwt)).toBe('unknown token');
  now += 7200;
  expect(await logIn(open(), jwt)).toBe('expired token');
});

test('other keys of the issuer end all verdicts, also those that are just being reached', async () => {
  const logins = open();
  const jwt = await token();
  const caller = asCaller(await logIn(logins, jwt));
  provider.keys = [other];
  now += 31;
  // The check of a signature that lasts until the other keys have come.
  const verify = crypto.subtle.verify.bind(crypto.subtle);
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slow = vi.spyOn(crypto.subtle, 'verify').mockImplementationOnce(async (...signature) => {
    await finished;
    return verify(...signature);
  });
  const lateJwt = await token({ sub: 'late' });
  const late = logIn(logins, lateJwt);
  await vi.waitFor(() => expect(slow).toHaveBeenCalled());
  expect(asCaller(await logIn(logins, await token({}, other))).name).toBe('staff/ana');
  finish();
  expect(asCaller(await late).until).toBe(Number.NEGATIVE_INFINITY);
  slow.mockRestore();
  expect(find(logins, lateJwt)).toBeInstanceOf(Unverified);
  expect(caller.until).toBe(Number.NEGATIVE_INFINITY);
  expect(await logIn(logins, jwt)).toBe('unknown token');
});

test('10,000 verdicts are kept, and the one that is dropped ends', async () => {
  const logins = open();
  const first = await token({ sub: 'first' });
  const caller = asCaller(await logIn(logins, first));
  const jwt = await token();
  for (let nth = 0; nth < 10_000; nth++) {
    const found = logins.find(jwt, String(nth));
    if (found instanceof Unverified) await found.verify();
  }
  expect(caller.until).toBe(Number.NEGATIVE_INFINITY);
  expect(find(logins, first)).toBeInstanceOf(Unverified);
  expect(logins.find(jwt, '0')).not.toBeInstanceOf(Unverified);
});

test('the ages of keys are known once they were fetched', async () => {
  const logins = open();
  expect([...logins.keyAges()]).toEqual([]);
  await logIn(logins, await token());
  now += 5;
  expect([...logins.keyAges()]).toEqual([['staff', 5]]);
});
