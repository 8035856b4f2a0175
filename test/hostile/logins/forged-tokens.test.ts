/** Attack: log in by a token that the identity provider has not issued, or has issued for something else. */
import { createHmac } from 'node:crypto';
import { exportSPKI } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type IdentityProvider,
  identityProvider,
  type SigningKey,
  signed as signedText,
  signingKey,
  tokenOf,
} from '../../support/identity-provider.ts';
import { expired, type LoginWorld, openLogins, type Shown, seven, unknown } from '../../support/logins.ts';
import { anyEngine } from '../../support/servers/engines.ts';

const tenant = { tenant: 7 };
/** Seconds, when a test runs: that may be long after the file was loaded. */
const now = () => Math.floor(Date.now() / 1000);
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe.skipIf(anyEngine().length === 0)('a gateway with an issuer', () => {
  let world: LoginWorld;
  let rsa: SigningKey;
  let ec: SigningKey;
  let rs512: SigningKey;
  let stolen: SigningKey;
  /** An identity provider of the attacker, with keys of the same names. */
  let other: IdentityProvider;
  beforeAll(async () => {
    [rsa, ec, rs512, stolen] = await Promise.all([
      signingKey('rsa', 'RS256'),
      signingKey('ec'),
      signingKey('rs512', 'RS512'),
      signingKey('rsa', 'RS256'),
    ]);
    other = await identityProvider([stolen]);
    world = await openLogins([rsa, ec, rs512], { type: 'at+jwt', issuedAfter: '2020-01-01T00:00:00Z' });
  });
  afterAll(async () => {
    await world?.close();
    await other?.close();
  });

  const typ = 'at+jwt';
  /** A token with these claims and members of the header, signed by one of the keys. */
  const signed = (claims = {}, header = {}, key = rsa) =>
    tokenOf(world.provider.issuer, key, { ...tenant, ...claims }, { typ, ...header });
  /** The claims of a valid token. */
  const valid = () => ({
    iss: world.provider.issuer,
    aud: 'datastore',
    sub: 'ana',
    iat: now(),
    exp: now() + 600,
    ...tenant,
  });
  const byHand = (header: object, sign: (text: string) => string, claims: object = valid()) => {
    const text = `${base64({ typ, ...header })}.${base64(claims)}`;
    return `${text}.${sign(text)}`;
  };
  const hmac = (secret: string) => (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

  const cases: readonly (readonly [string, () => Promise<string> | string, Shown])[] = [
    ['a valid token of an RSA key', () => signed(), seven],
    ['a text with a valid signature', () => signedText(rsa, JSON.stringify(valid()), { typ }), seven],
    ['a valid token of an EC key', () => signed({}, {}, ec), seven],
    ['several audiences', () => signed({ aud: ['other', 'datastore'] }), seven],
    ['expired by 20 s', () => signed({ exp: now() - 20 }), seven],
    ['not valid for 20 s', () => signed({ nbf: now() + 20 }), seven],
    [
      'HS256 with the public key in PEM',
      async () => byHand({ alg: 'HS256', kid: 'rsa' }, hmac(await exportSPKI(rsa.publicKey))),
      unknown,
    ],
    [
      'HS256 with the public key in JSON',
      () => byHand({ alg: 'HS256', kid: 'rsa' }, hmac(JSON.stringify(rsa.jwk))),
      unknown,
    ],
    ['HS256 with an empty secret', () => byHand({ alg: 'HS256', kid: 'rsa' }, hmac('')), unknown],
    ['no algorithm and no signature', () => byHand({ alg: 'none' }, () => ''), unknown],
    ['no algorithm and a signature', () => byHand({ alg: 'none', kid: 'rsa' }, hmac('')), unknown],
    ['None', () => byHand({ alg: 'None', kid: 'rsa' }, hmac('')), unknown],
    ['an algorithm that is not listed', () => signed({}, {}, rs512), unknown],
    [
      'an empty EC signature',
      () => byHand({ alg: 'ES256', kid: 'ec' }, () => Buffer.alloc(64).toString('base64url')),
      unknown,
    ],
    ['another key of the same name', () => signed({}, {}, stolen), unknown],
    ['another key in the header (jwk)', () => signed({}, { jwk: stolen.jwk }, stolen), unknown],
    ['another key set in the header (jku)', () => signed({}, { jku: other.jwksUrl }, stolen), unknown],
    ['another certificate in the header (x5u)', () => signed({}, { x5u: other.jwksUrl }, stolen), unknown],
    ['a path as kid', () => signed({}, { kid: '../../../../dev/null' }, stolen), unknown],
    ['an address as kid', () => signed({}, { kid: other.jwksUrl }, stolen), unknown],
    ['SQL as kid', () => signed({}, { kid: "' OR 1=1 --" }, stolen), unknown],
    ['a critical header that nobody knows', () => signed({}, { crit: ['unusual'], unusual: 1 }), unknown],
    ['no exp', () => signed({ exp: undefined }), unknown],
    ['exp is a text', () => signedText(rsa, JSON.stringify({ ...valid(), exp: 'never' }), { typ }), unknown],
    ['no sub', () => signed({ sub: undefined }), unknown],
    ['an empty sub', () => signed({ sub: '' }), unknown],
    ['no aud', () => signed({ aud: undefined }), unknown],
    ['another aud', () => signed({ aud: 'mail' }), unknown],
    ['the audience as a part', () => signed({ aud: 'datastore-admin' }), unknown],
    ['an ID token', () => signed({}, { typ: 'JWT' }), unknown],
    ['no type', () => signed({}, { typ: undefined }), unknown],
    ['expired by 40 s', () => signed({ exp: now() - 40 }), expired],
    ['expired, with another signature', () => signed({ exp: now() - 40 }, {}, stolen), unknown],
    ['expired, for another audience', () => signed({ exp: now() - 40, aud: 'mail' }), unknown],
    ['not valid for 40 s', () => signed({ nbf: now() + 40 }), unknown],
    ['issued in 40 s', () => signed({ iat: now() + 40 }), unknown],
    ['issued before issuedAfter', () => signed({ iat: 1_577_836_799 }), unknown],
    ['not said when it was issued', () => signed({ iat: undefined }), unknown],
    ['of another issuer', () => tokenOf(other.issuer, stolen, tenant, { typ }), unknown],
    ['of an issuer with a slash more', () => signed({ iss: `${world.provider.issuer}/` }), unknown],
    [
      'a claim that is given twice',
      () => signedText(rsa, `{"tenant":8,${JSON.stringify(valid()).slice(1)}`, { typ }),
      unknown,
    ],
    ['four parts', async () => `${await signed()}.x`, unknown],
    ['no payload', () => `${base64({ alg: 'RS256' })}..x`, unknown],
    ['no JSON', () => signedText(rsa, '{', { typ }), unknown],
  ];

  test.each(cases)('%s', async (_, token, shown) => {
    expect(await world.search(await token())).toEqual(shown);
    expect(other.fetched).toEqual([]);
  });

  test('a token of which one character was changed is refused', async () => {
    const token = await signed();
    expect(await world.search(token)).toEqual(seven);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const otherTenant = base64({ ...valid(), tenant: 8 });
    expect(await world.search(`${header}.${otherTenant}.${signature}`)).toBe(unknown);
    for (const at of [0, 10, 100])
      expect(
        await world.search(
          `${header}.${payload}.${signature.slice(0, at)}${signature[at] === 'A' ? 'B' : 'A'}${signature.slice(at + 1)}`,
        ),
      ).toBe(unknown);
    expect(await world.search(token)).toEqual(seven);
  });
});
