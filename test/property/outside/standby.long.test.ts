import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { servers } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { check } from './check.ts';
import { commitMiddle, type ReplicatedServer, startReplicated } from './standby.ts';

const isThere = servers().some(({ name }) => name === 'postgres');
const reads = Number(process.env.SOAK_OPERATIONS ?? 5000) / 10;

describe.runIf(isThere)('a gateway on a standby of PostgreSQL', () => {
  let scope: Scope;
  let replicated: ReplicatedServer | null = null;
  beforeAll(async () => {
    scope = openScope();
    replicated = await startReplicated(scope);
  }, 120_000);
  afterAll(() => scope?.close());

  test('of three open transactions the middle one commits', async () => {
    if (replicated === null) throw new Error('no server');
    const [shown, is] = await commitMiddle(replicated);
    expect(shown).toBe(is);
  });

  test.each([{ maxStaleness: '50ms' }, { maxStaleness: 0 }])(
    'no cached answer is older than $maxStaleness after a commit that the standby has confirmed',
    async ({ maxStaleness }) => {
      if (replicated === null) throw new Error('no server');
      const { primary, standbyOf } = replicated;
      const { stale, ...found } = await check(primary, { maxStaleness, reads, readFrom: standbyOf });
      console.log(`standby ${maxStaleness} ${JSON.stringify(found)}`);
      expect(stale).toEqual([]);
      expect(found.misses).toBeGreaterThan(0);
      expect(found.hits).toBeGreaterThan(0);
    },
    60_000 + reads * 20,
  );
});
