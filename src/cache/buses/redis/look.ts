import type { RedisServer } from '../../../model/bus.ts';
import { versionOf } from './answers.ts';
import { connectRedis, findRedis, within } from './connection.ts';

/** Milliseconds. */
const patience = 2000;

/** Logs in to a server, changes nothing, and returns its version. Throws where it cannot be used. */
export async function lookAtRedis(server: RedisServer): Promise<string> {
  const connection = await connectRedis(await findRedis(server, patience), server, patience, () => undefined);
  try {
    await within(patience, connection.ask(['TIME']));
    return versionOf(
      await within(
        patience,
        connection.ask(['INFO', 'server']).catch(() => ''),
      ),
    );
  } finally {
    connection.close();
  }
}

/** Whether a version, as `lookAtRedis` returns it, is too old. */
export function isTooOld(version: string): boolean {
  const [, major, minor] = /^Redis (\d+)\.(\d+)/.exec(version) ?? [];
  return major !== undefined && Number(major) * 100 + Number(minor) < 602;
}
