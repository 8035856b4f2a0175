/** Attack: go on with a right that CKAN has taken, by an answer that is cached, by an open stream, or while CKAN is away. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type EventStream, subscribe } from '../../support/event-stream.ts';
import { anyEngine } from '../../support/servers/engines.ts';
import { shiftableClock } from '../../support/shifted-clock.ts';
import {
  allRows,
  loginHeaders,
  openUpstreamRights,
  refused,
  type UpstreamRights,
  unchecked,
} from '../../support/upstream-rights.ts';

const shift = shiftableClock();
/** For a busy machine. */
const patient = { timeout: 30_000 };
const access = { cookies: ['ckan'] };

describe.skipIf(anyEngine().length === 0)('a right that CKAN has given', () => {
  let world: UpstreamRights;
  beforeAll(async () => {
    world = await openUpstreamRights({ access, cache: { ttl: '10h' } });
  });
  afterAll(() => world?.close());
  /** Another user in each test. */
  let user = '';
  let nth = 0;
  beforeEach(() => {
    user = `user${nth++}`;
    world.ckan.allow(user, { read: ['budget', 'filtered'], write: ['budget'] });
    world.ckan.questions.length = 0;
  });
  afterEach(() => {
    world.ckan.answer = null;
  });

  /** Searches until the answer is an exact match of the request cache. */
  const repeat = async (login = user) => {
    for (let call = 0; call < 3; call++) expect(await world.search(login)).toBe(allRows);
    expect(world.wasExactMatch()).toBe(true);
  };
  const down = () => {
    world.ckan.answer = (_, response) => response.writeHead(502).end();
  };

  test.each([
    ['token', ''],
    ['session', 'ckan='],
  ])('of a revoked %s ends after 30 s, also for exact matches', async (_, prefix) => {
    const login = prefix + user;
    world.ckan.allow(login, { read: ['budget'] });
    await repeat(login);
    world.ckan.forbid(login);
    shift(20);
    expect(await world.search(login)).toBe(allRows);
    expect(world.wasExactMatch()).toBe(true);
    shift(11);
    const none = prefix === '' ? refused : '403 no token was sent';
    for (let call = 0; call < 3; call++) expect(await world.search(login)).toBe(none);
    expect(world.wasExactMatch()).toBe(false);
  });

  test('that everybody has ends after 30 s, too', async () => {
    world.ckan.allow('', { read: ['census', 'budget'] });
    await repeat('');
    world.ckan.allow('', { read: ['census'] });
    shift(31);
    for (let call = 0; call < 3; call++) expect(await world.search('')).toBe('403 no token was sent');
  });

  test('is checked again after 30 s, and exact matches go on', async () => {
    await repeat();
    for (let round = 1; round <= 2; round++) {
      shift(31);
      world.ckan.questions.length = 0;
      expect(await world.search(user)).toBe(allRows);
      expect(world.wasExactMatch()).toBe(false);
      expect(world.ckan.actions()).toEqual(['resource_show']);
      await repeat();
      expect(world.ckan.questions).toHaveLength(1);
    }
  });

  test('to write ends after 30 s', async () => {
    const write = async () => {
      const records = [{ id: 1, n: nth }];
      return (await world.call('datastore_upsert', { resource_id: 'budget', method: 'update', records }, user)).status;
    };
    expect(await write()).toBe(200);
    world.ckan.allow(user, { read: ['budget'] });
    shift(31);
    expect(await write()).toBe(403);
    expect(await world.search(user)).toBe(allRows);
    await world.shared.reset('line');
  });

  test('is used while CKAN is away until the verdict ends, and no longer', async () => {
    await repeat();
    await world.ckan.stop();
    try {
      shift(20);
      expect(await world.search(user)).toBe(allRows);
      expect(world.wasExactMatch()).toBe(true);
      shift(11);
      for (let call = 0; call < 2; call++) expect(await world.search(user)).toBe(unchecked);
      expect(world.wasExactMatch()).toBe(false);
    } finally {
      await world.ckan.restart();
    }
    expect(await world.search(user)).toBe(allRows);
  });

  test('a no is asked again after five seconds', async () => {
    world.ckan.allow(user, {});
    expect(await world.search(user)).toBe('403');
    world.ckan.allow(user, { read: ['budget'] });
    shift(1);
    expect(await world.search(user)).toBe('403');
    shift(5);
    expect(await world.search(user)).toBe(allRows);
  });

  test('is forgotten by a reload', async () => {
    await repeat();
    world.ckan.forbid(user);
    await world.reload({ access, cache: { ttl: '10h' } });
    expect(await world.search(user)).toBe(refused);
  });

  describe('and an open stream', () => {
    const streams: EventStream[] = [];
    afterEach(() => {
      for (const stream of streams.splice(0)) stream.close();
    });
    const open = async (resource: string, login: string) => {
      const stream = await subscribe(world.shared.gateway.url, resource, loginHeaders(login));
      streams.push(stream);
      await stream.until(1);
      return stream;
    };
    const opened = async () => ({
      stream: await open('budget', user),
      /** Of a token of the configuration, whose rights do not end. */
      witness: await open('all-line', 'truth'),
    });
    let written = 0;
    const write = async () => {
      const params = { resource_id: 'all-line', method: 'update', records: [{ id: 1, n: written++ }] };
      expect((await world.call('datastore_upsert', params, 'truth')).status).toBe(200);
    };
    /** The questions for the right since the last call. */
    const asked = () => {
      const actions = world.ckan.actions(user);
      world.ckan.questions.length = 0;
      return actions.filter((name) => name === 'resource_show');
    };
    const isAsked = (times = 1) =>
      vi.waitFor(() => {
        const actions = world.ckan.actions(user).filter((name) => name === 'resource_show');
        expect(actions.length).toBeGreaterThanOrEqual(times);
      }, patient);

    test('it goes on with another yes', async () => {
      const { stream, witness } = await opened();
      asked();
      shift(31);
      await isAsked();
      await write();
      await stream.until(2);
      await witness.until(2);
      expect(asked()).toEqual(['resource_show']);
      expect(stream.isEnded()).toBe(false);
    });

    test('it ends with a no', async () => {
      const { stream } = await opened();
      world.ckan.forbid(user);
      shift(31);
      expect(await stream.ended).toBe(true);
      expect((await subscribe(world.shared.gateway.url, 'budget', loginHeaders(user))).status).toBe(403);
    });

    test('it ends with a no for one of its resources', async () => {
      const stream = await open('resource_id=budget&resource_id=filtered', user);
      world.ckan.allow(user, { read: ['filtered'] });
      shift(31);
      expect(await stream.ended).toBe(true);
    });

    test('without a decision it is silent, and misses no notice if CKAN comes back', async () => {
      const { stream, witness } = await opened();
      down();
      asked();
      shift(31);
      await isAsked();
      const before = stream.text();
      await write();
      await witness.until(2);
      // The next question comes a second after the last: a stream that is not silent would have been woken by now.
      shift(2);
      await isAsked(2);
      expect(stream.text()).toBe(before);
      shift(30);
      await isAsked(3);
      expect(stream.text()).toBe(before);
      world.ckan.answer = null;
      shift(2);
      await stream.until(2);
      await write();
      await stream.until(3);
      expect(stream.isEnded()).toBe(false);
    });

    test('without a decision it ends after 60 s', async () => {
      const { stream } = await opened();
      down();
      asked();
      shift(31);
      await isAsked();
      shift(40);
      await isAsked(2);
      expect(stream.isEnded()).toBe(false);
      shift(21);
      expect(await stream.ended).toBe(true);
      expect((await subscribe(world.shared.gateway.url, 'budget', loginHeaders(user))).status).toBe(503);
    });

    test('while CKAN does not answer about one stream, the others go on', async () => {
      const { witness } = await opened();
      let answer = (): void => undefined;
      world.ckan.answer = (_, __, usual) => {
        answer = usual;
      };
      asked();
      shift(31);
      await isAsked();
      await write();
      await witness.until(2);
      answer();
    });

    test('it ends after a reload, if the right is gone', async () => {
      const { stream, witness } = await opened();
      world.ckan.forbid(user);
      await world.reload({ access, cache: { ttl: '10h' } });
      expect(await stream.ended).toBe(true);
      expect(witness.isEnded()).toBe(false);
    });
  });
});
