/** Attack: go on with a login that has ended, by a request whose answer is cached, or by an open stream. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { subscribe } from '../../support/event-stream.ts';
import { type Fetched, fetched } from '../../support/fetched.ts';
import { type SigningKey, signingKey, tokenOf } from '../../support/identity-provider.ts';
import { type LoginWorld, openLogins } from '../../support/logins.ts';
import { anyEngine } from '../../support/servers/engines.ts';
import { shiftableClock } from '../../support/shifted-clock.ts';

const shift = shiftableClock();

describe.skipIf(anyEngine().length === 0)('with cached answers', () => {
  let world: LoginWorld;
  let [first, second]: SigningKey[] = [];
  beforeAll(async () => {
    [first, second] = await Promise.all([signingKey('first'), signingKey('second')]);
    world = await openLogins([first], {}, { cache: { ttl: '10h' } });
  });
  afterAll(() => world?.close());

  let nth = 0;
  /** A token of its own, so that no other test has its verdict. */
  const token = (claims: { exp?: number; nbf?: number } = {}, key = first) => {
    if (key === undefined) throw new Error('no key');
    return tokenOf(world.provider.issuer, key, { tenant: 7, jti: String(nth++), ...claims });
  };
  const seconds = () => Math.floor(Date.now() / 1000);
  const path = '/api/3/action/datastore_search?resource_id=lines';
  const get = (token: string): Promise<Fetched> =>
    fetched(world.shared.gateway.url + path, { Authorization: `Bearer ${token}` });
  /** How a request was answered: by an exact match of the request cache, after a verification, or as an error. */
  const ask = async (token: string) => {
    const before = world.shared.gateway.events.length;
    const { status, body } = await get(token);
    const events = world.shared.gateway.events.slice(before);
    if (status !== 200) return `${status} ${JSON.parse(body.toString()).error.message.replace(/^.*: /, '')}`;
    const checks = events.filter(({ on }) => on === 'login checked').length;
    return events.some(({ on }) => on === 'hit') ? 'exact match' : `answered after ${checks} checks`;
  };
  /** The same request until it is answered by an exact match. */
  const repeat = async (token: string) => {
    await ask(token);
    await ask(token);
    expect(await ask(token)).toBe('exact match');
  };

  test('a token that ends between two exact matches is refused', async () => {
    const short = await token({ exp: seconds() + 60 });
    await repeat(short);
    shift(80);
    expect(await ask(short)).toBe('exact match');
    shift(11);
    expect(await ask(short)).toBe('403 this token has expired');
    expect(await ask(short)).toBe('403 this token has expired');
  });

  test('the end of one token of a user does not end another, nor prolong it', async () => {
    const [short, long] = [await token({ exp: seconds() + 60 }), await token({ exp: seconds() + 250 })];
    await repeat(short);
    await repeat(long);
    await repeat(short);
    shift(91);
    expect(await ask(short)).toBe('403 this token has expired');
    expect(await ask(long)).toBe('exact match');
  });

  test('a token is verified again after five minutes', async () => {
    const long = await token({ exp: seconds() + 3600 });
    await repeat(long);
    shift(299);
    expect(await ask(long)).toBe('exact match');
    shift(2);
    expect(await ask(long)).toBe('answered after 1 checks');
    expect(await ask(long)).toBe('exact match');
  });

  test('a token of the configuration does not end', async () => {
    await repeat('seven');
    shift(3600 * 9);
    expect(await ask('seven')).toBe('exact match');
  });

  test('a key that the issuer removes is refused from the next fetch on, also for exact matches', async () => {
    if (first === undefined || second === undefined) throw new Error('no key');
    const old = await token({ exp: seconds() + 3600 });
    await repeat(old);
    world.provider.keys = [second];
    shift(31);
    // Nobody has asked for the new keys yet.
    expect(await ask(old)).toBe('exact match');
    expect(await ask(await token({}, second))).toBe('answered after 1 checks');
    expect(await ask(old)).toBe('403 this token is not known');
    world.provider.keys = [first];
    await world.reload();
  });

  test('a reload forgets who was logged in, and takes issuedAfter', async () => {
    const valid = await token();
    await repeat(valid);
    await world.reload();
    expect(await ask(valid)).toBe('answered after 1 checks');
    await world.reload({ issuedAfter: new Date(Date.now() + 60_000).toISOString() });
    expect(await ask(valid)).toBe('403 this token is not known');
    await world.reload();
    expect(await ask(valid)).toBe('answered after 1 checks');
  });

  test('a stream of change notices ends with its login', async () => {
    const short = await token({ exp: seconds() + 60 });
    const { url } = world.shared.gateway;
    const stream = await subscribe(url, 'lines', { Authorization: short });
    expect(stream.status).toBe(200);
    await stream.until(1);
    shift(91);
    expect(await stream.ended).toBe(true);
    expect((await subscribe(url, 'lines', { Authorization: short })).status).toBe(403);
  });
});
