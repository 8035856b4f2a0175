/** Faults of a Redis server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tellRedis } from '../support/servers/redis.ts';
import type { Scope } from '../support/servers/scope.ts';
import { type Faults, short } from './fleet.ts';

/** @param redis the address of a server that `scope` has started */
export function redisFaults(scope: Scope, redis: string): Faults {
  const port = Number(new URL(redis).port);
  return {
    'its connections are cut': async () => tellRedis(redis, 'CLIENT KILL TYPE normal'),
    'Redis is emptied': async () => tellRedis(redis, 'FLUSHALL'),
    'Redis stands still': async () => {
      scope.signal(port, 'SIGSTOP');
      await sleep(short);
      scope.signal(port, 'SIGCONT');
    },
    'Redis is killed, and comes back empty': async () => {
      const restart = await scope.stop(port, 'SIGKILL');
      await sleep(short);
      await restart();
    },
  };
}
