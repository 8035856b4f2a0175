import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Metrics } from '../../../src/watch/metrics.ts';
import { type SigningKey, signingKey, tokenOf } from '../../support/identity-provider.ts';
import { type LoginWorld, openLogins, seven, unknown } from '../../support/logins.ts';
import { anyEngine } from '../../support/servers/engines.ts';

describe.skipIf(anyEngine().length === 0)('a gateway with an issuer', () => {
  let world: LoginWorld;
  let key: SigningKey;
  beforeAll(async () => {
    key = await signingKey('key');
    world = await openLogins([key]);
  });
  afterAll(() => world?.close());

  const token = (claims: object = {}) => tokenOf(world.provider.issuer, key, { tenant: 7, ...claims });
  const grants = (...list: readonly object[]) => ({ grants: list });
  const everything = { read: ['*'], write: ['*'] };

  test('a reload takes other grants, and says that callers may see more', async () => {
    const jwt = await token({ groups: ['users'] });
    const said = async (settings: object) => {
      const { length } = world.shared.gateway.events;
      await world.reload(settings);
      const events = world.shared.gateway.events.slice(length);
      return events.flatMap((event) => (event.on === 'more visible' ? [event.text.replace(/ \(\S+\)/, '')] : []));
    };
    const others = 'auth.jwt[0] has other grants, so its callers may see or write more';
    expect(await said(grants({ when: { groups: 'admins' }, ...everything }))).toEqual([others]);
    expect(await world.search(jwt)).toBe(
      '403 Access denied: User staff/ana not authorized to perform resource_show on resource lines',
    );
    expect(await said(grants({ when: { groups: 'admins' }, ...everything }))).toEqual([]);
    expect(
      await said(grants({ when: { groups: 'users' }, read: ['lines'], where: { lines: { id: [1, 2, 11] } } })),
    ).toEqual([others]);
    expect(await world.search(jwt)).toEqual([1, 2]);
    expect(await said({ issuer: `${world.provider.issuer}/other` })).toEqual([
      'auth.jwt[0] is new: its tokens are logins',
    ]);
    expect(await world.search(jwt)).toBe(unknown);
    expect(await said({})).toEqual(['auth.jwt[0] is new: its tokens are logins']);
    expect(await world.search(jwt)).toEqual(seven);
  });

  test('a filter of a grant that does not fit its table is a complaint at its place, and nothing changes', async () => {
    const wrong = (where: object) =>
      world.reload(grants({ read: ['lines'] }, { ...everything, where: { lines: where } }));
    await expect(wrong({ nobody: 1 })).rejects.toThrow(
      /auth\.jwt\[0\]\.grants\[1\]\.where\.lines \S+ does not fit the table/,
    );
    await expect(wrong({ id: 'x' })).rejects.toThrow(
      /auth\.jwt\[0\]\.grants\[1\]\.where\.lines \S+ does not fit the table/,
    );
    expect(await world.search(await token())).toEqual(seven);
  });

  test('each verification is counted by its result', async () => {
    const levels = () => ({
      ...{ cache: { entries: 0, bytes: 0, maxBytes: 0 }, pools: [], workers: 1, connections: 0, incomingBytes: 0 },
      ...{ subscribers: 0, spoolBytes: 0, keyAges: new Map([['staff', 12]]) },
    });
    const metrics = new Metrics({ levels, states: async () => ({}) });
    const { length } = world.shared.gateway.events;
    await world.search(await token({ jti: 'a' }));
    await world.search(await token({ exp: 1 }));
    await world.search(await token({ aud: 'mail' }));
    for (const event of world.shared.gateway.events.slice(length)) metrics.emit(event);
    const shown = await metrics.show();
    const valuesOf = (metric: string) => shown.find(({ name }) => name === metric)?.values;
    expect(valuesOf('gateway_auth_verdicts_total')).toEqual(
      ['valid', 'expired', 'refused'].map((result) => ({ value: 1, labels: { issuer: 'staff', result } })),
    );
    expect(valuesOf('gateway_auth_keys_age_seconds')).toEqual([{ value: 12, labels: { issuer: 'staff' } }]);
  });
});
