/** Attack: keep CKAN and the gateway busy with logins that nobody has, or with one question asked a thousand times. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { subscribe } from '../../support/event-stream.ts';
import { anyEngine } from '../../support/servers/engines.ts';
import { shiftableClock } from '../../support/shifted-clock.ts';
import {
  allRows,
  loginHeaders,
  openUpstreamRights,
  refused,
  type UpstreamRights,
} from '../../support/upstream-rights.ts';

const shift = shiftableClock();
/** For a busy machine. */
const patient = { timeout: 30_000 };
const maxRequests = 8;
const full = '503 too many logins are being checked, try again';
const search = '/api/3/action/datastore_search?resource_id=budget';

describe.skipIf(anyEngine().length === 0)('a gateway that asks CKAN', () => {
  let world: UpstreamRights;
  const settings = { access: { maxRequests, keep: '30s' }, cache: { ttl: '10h' } };
  beforeAll(async () => {
    world = await openUpstreamRights(settings);
  });
  /** Answers that are held back. */
  const held: (() => void)[] = [];
  const release = () => {
    world.ckan.answer = null;
    for (const answer of held.splice(0)) answer();
  };
  afterEach(release);
  afterAll(() => world?.close());
  /** Holds the answers to some logins back. */
  const hold = (isHeld: (login: string) => boolean) => {
    world.ckan.answer = ({ login }, _, usual) => (isHeld(login) ? void held.push(usual) : usual());
  };
  const begin = () => {
    world.ckan.questions.length = 0;
    world.ckan.mostAtOnce = 0;
  };

  test('a thousand random tokens at once do not lock out a user', async () => {
    expect(await world.search('ana')).toBe(allRows);
    shift(31);
    begin();
    hold((login) => login.startsWith('random'));
    const answers: (number | string)[] = [];
    const all = Array.from({ length: 1000 }, async (_, nth) => {
      answers.push(await world.search(`random${nth}`));
    });
    await vi.waitFor(() => expect(answers.length).toBeGreaterThanOrEqual(1000 - maxRequests / 2), patient);
    expect(new Set(answers)).toEqual(new Set([full]));
    expect((await world.send(search, { login: 'random' })).headers['retry-after']).toBe('2');
    // Her verdict has ended, so CKAN is asked about her.
    expect(await world.search('ana')).toBe(allRows);
    expect(world.ckan.actions('ana')).toContain('resource_show');
    release();
    await Promise.all(all);
    expect(answers.filter((answer) => answer === refused)).toHaveLength(maxRequests / 2);
    expect(answers.filter((answer) => answer === full)).toHaveLength(1000 - maxRequests / 2);
    expect(world.ckan.mostAtOnce).toBeLessThanOrEqual(maxRequests);
    // The places are free again.
    expect(await world.search('random')).toBe(refused);
  });

  test('random tokens do not lock out a user by what everybody may see', async () => {
    expect(await world.search('ana')).toBe(allRows);
    for (let nth = 0; nth < 2 * maxRequests; nth++) expect(await world.search(`seen${nth}`, 'census')).toBe(allRows);
    shift(31);
    begin();
    hold((login) => login.startsWith('seen'));
    const all = Array.from({ length: 2 * maxRequests }, (_, nth) => world.search(`seen${nth}`));
    await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(maxRequests / 2), patient);
    expect(await world.search('ana')).toBe(allRows);
    release();
    expect(new Set(await Promise.all(all))).toEqual(new Set([full, refused]));
  });

  test('known users together ask no more at once than maxRequests allows', async () => {
    const users = Array.from({ length: 2 * maxRequests }, (_, nth) => `user${nth}`);
    for (const user of users) {
      world.ckan.allow(user, { read: ['budget'] });
      expect(await world.search(user)).toBe(allRows);
    }
    shift(31);
    begin();
    hold(() => true);
    const all = users.map((user) => world.search(user));
    await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(maxRequests), patient);
    release();
    expect((await Promise.all(all)).filter((answer) => answer === full)).toHaveLength(maxRequests);
    expect(world.ckan.mostAtOnce).toBe(maxRequests);
  });

  test('a thousand calls of one user at the end of a verdict cost one question', async () => {
    for (let call = 0; call < 3; call++) expect(await world.search('ana')).toBe(allRows);
    expect(world.wasExactMatch()).toBe(true);
    shift(31);
    begin();
    hold(() => true);
    const path = (nth: number) => `${search}&offset=${nth % 2}`;
    const all = Array.from({ length: 1000 }, (_, nth) => world.send(path(nth), { login: 'ana' }));
    await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(1), patient);
    // Time for the other calls to arrive: that they share the question is only seen of calls that wait for it.
    await new Promise((resolve) => setTimeout(resolve, 200));
    release();
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(world.ckan.actions()).toEqual(['resource_show']);
  });

  test('without an answer they share the 503, and the next call asks again', async () => {
    shift(31);
    begin();
    world.ckan.answer = (_, response) => void held.push(() => response.writeHead(500).end());
    const all = Array.from({ length: 100 }, () => world.send(search, { login: 'ana' }));
    await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(1), patient);
    release();
    const statuses = new Set((await Promise.all(all)).map(({ status }) => status));
    // Calls that came later have asked anew.
    expect([...statuses].filter((status) => status !== 200)).toEqual([503]);
    expect(world.ckan.actions().filter((name) => name === 'resource_show').length).toBeLessThanOrEqual(2);
    expect(await world.search('ana')).toBe(allRows);
  });

  test('a call that needs many decisions is not refused for its own questions', async () => {
    await world.reload({ access: { maxRequests: 2 } });
    const all = ['budget', 'census', 'filtered'];
    for (const login of ['new1', 'new2']) world.ckan.allow(login, { read: all });
    begin();
    const stream = await subscribe(
      world.shared.gateway.url,
      all.map((id) => `resource_id=${id}`).join('&'),
      loginHeaders('new1'),
    );
    stream.close();
    expect(stream.status).toBe(200);
    const { result } = JSON.parse((await world.send('/api/3/action/resource_list', { login: 'new2' })).text);
    expect([result.total, result.incomplete]).toEqual([3, undefined]);
    expect(world.ckan.mostAtOnce).toBe(1);
    await world.reload(settings);
  });

  describe('with a rate limit', () => {
    const [perToken, perAddress] = [4, 6];
    beforeAll(() => world.reload({ ...settings, rateLimit: { perToken, perAddress, every: '1h' } }));
    const tooMany = expect.stringMatching(/^429/);

    test('unknown logins count for their address, before CKAN is asked; known ones for their account', async () => {
      begin();
      // Until CKAN has told her name, she counts for her address.
      expect(await world.search('ana')).toBe(allRows);
      for (let call = 1; call < perAddress; call++) expect(await world.search(`unknown${call}`)).toBe(refused);
      const asked = world.ckan.questions.length;
      for (let call = 0; call < 3; call++) expect(await world.search(`more${call}`)).toEqual(tooMany);
      expect(await world.search('')).toEqual(tooMany);
      expect(world.ckan.questions).toHaveLength(asked);
      for (let call = 0; call < perToken; call++) expect(await world.search('ana', 'census')).toBe(allRows);
      expect(await world.search('ana', 'census')).toEqual(tooMany);
      // Tokens of the configuration count for themselves.
      expect((await world.call('datastore_search', { resource_id: 'all-line' }, 'truth')).status).toBe(200);
      const names = world.shared.gateway.events.flatMap((one) => (one.on === 'answered' ? [one.caller] : []));
      expect(names).toContain('ckan/ana');
    });
  });
});
