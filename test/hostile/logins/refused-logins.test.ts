/** Attack: take another caller's name or limits by a subject, and make the gateway verify tokens without end. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { textOf } from '../../../src/watch/text.ts';
import { fetched } from '../../support/fetched.ts';
import { type SigningKey, signingKey, tokenOf } from '../../support/identity-provider.ts';
import { expired, type LoginWorld, openLogins, seven, unchecked, unknown } from '../../support/logins.ts';
import { anyEngine } from '../../support/servers/engines.ts';
import { shiftableClock } from '../../support/shifted-clock.ts';

const shift = shiftableClock();
const limits = { perToken: 3, perAddress: 5, every: '1h' };
const tooMany = expect.stringMatching(/^429 /);

describe.skipIf(anyEngine().length === 0)('with limits', () => {
  let world: LoginWorld;
  let [key, stolen]: SigningKey[] = [];
  beforeAll(async () => {
    [key, stolen] = await Promise.all([signingKey('key'), signingKey('key')]);
    world = await openLogins([key], {}, { rateLimit: limits, cache: { ttl: '1h' } });
  });
  afterAll(() => world?.close());
  beforeEach(() => world.reset());

  const token = (claims: object = {}, by = key) => {
    if (by === undefined) throw new Error('no key');
    return tokenOf(world.provider.issuer, by, { tenant: 7, ...claims });
  };
  const checks = () => world.shared.gateway.events.filter(({ on }) => on === 'login checked').length;

  test.each([
    ['seven', 'staff/seven'],
    ['token seven', 'staff/token%20seven'],
    ['127.0.0.1', 'staff/127.0.0.1'],
    ['../seven', 'staff/..%2Fseven'],
    ['x\n12:00:00 200 datastore_search forged', 'staff/x%0A12%3A00%3A00%20200%20datastore_search%20forged'],
    ['x\u2028\u001b[31m', 'staff/x%E2%80%A8%1B%5B31m'],
  ])('the subject %j is a caller of its own', async (sub, name) => {
    const jwt = await token({ sub });
    for (let call = 0; call < limits.perToken; call++) expect(await world.search(jwt)).toEqual(seven);
    expect(await world.search(jwt)).toEqual(tooMany);
    for (let call = 0; call < limits.perToken; call++) expect(await world.search('seven')).toEqual(seven);
    expect(await world.search('seven')).toEqual(tooMany);
    // The verification counted once for the address; the calls did not.
    for (let call = 1; call < limits.perAddress; call++) expect(await world.search('x')).toBe(unknown);
    expect(await world.search('x')).toEqual(tooMany);
    const last = world.shared.gateway.events.findLast((event) => event.on === 'answered' && event.caller === name);
    if (last?.on !== 'answered') throw new Error(`nobody is logged as ${name}`);
    expect(textOf(last, undefined)).toMatch(/^429 datastore_search [^\n]* 127\.0\.0\.1$/);
  });

  test('refused tokens count once for their address, before they are verified', async () => {
    const before = checks();
    for (let call = 0; call < limits.perAddress; call++)
      expect(await world.search(await token({ sub: `x${call}` }, stolen))).toBe(unknown);
    expect(checks() - before).toBe(limits.perAddress);
    for (let call = 0; call < 3; call++) expect(await world.search(await token({}, stolen))).toEqual(tooMany);
    expect(checks() - before).toBe(limits.perAddress);
  });

  test('a verdict counts for its address once', async () => {
    const jwt = await token({ sub: 'once' });
    const before = checks();
    for (let call = 0; call < 3; call++) expect(await world.search(jwt)).toEqual(seven);
    expect(checks() - before).toBe(1);
  });

  test('a login that cannot be checked is neither anonymous nor refused, also for what is public', async () => {
    const jwt = await token();
    world.provider.answer = (_, response) => response.writeHead(500).end();
    await world.reload();
    expect(await world.search(jwt)).toBe(unchecked);
    const url = `${world.shared.gateway.url}/api/3/action/datastore_search?resource_id=public`;
    const { status, headers } = await fetched(url, { Authorization: jwt });
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect((await fetched(url, { Authorization: 'unknown' })).status).toBe(200);
    expect(world.shared.gateway.events.filter(({ on }) => on === 'keys lost')).toHaveLength(1);
    world.provider.answer = null;
    shift(6);
    expect(await world.search(jwt)).toEqual(seven);
    expect(world.shared.gateway.events.filter(({ on }) => on === 'keys found')).toHaveLength(1);
  });

  test('the refusal of a token is not kept: it may be valid later', async () => {
    const soon = await token({ sub: 'soon', nbf: Math.floor(Date.now() / 1000) + 60 });
    const url = `${world.shared.gateway.url}/api/3/action/datastore_search?resource_id=public&limit=1`;
    const callers = async () => {
      const before = world.shared.gateway.events.length;
      for (let call = 0; call < 2; call++) expect((await fetched(url, { Authorization: soon })).status).toBe(200);
      return world.shared.gateway.events
        .slice(before)
        .flatMap((event) => (event.on === 'answered' ? [event.caller] : event.on === 'hit' ? ['exact match'] : []));
    };
    expect(await callers()).toEqual([null, null]);
    shift(31);
    expect(await callers()).toEqual(['staff/soon', 'exact match']);
  });

  test('a download form takes a JWT in its field, and no refused one', async () => {
    const download = async (jwt: string) => {
      const body = new URLSearchParams({ token: jwt, format: 'json' });
      const answer = await fetch(`${world.shared.gateway.url}/datastore/dump/lines`, { method: 'POST', body });
      const text = await answer.text();
      return answer.status === 200 ? JSON.parse(text).records.length : answer.status;
    };
    expect(await download(await token({ sub: 'form' }))).toBe(seven.length);
    expect(await download(await token({}, stolen))).toBe(404);
    const past = { exp: Math.floor(Date.now() / 1000) - 40 };
    expect(await download(await token(past))).toBe(404);
    expect(await world.search(await token(past))).toBe(expired);
  });
});
