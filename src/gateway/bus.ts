/** `cache.bus: redis://…`, as `check` sees it. */
import { usualLease } from '../cache/buses/redis/lease.ts';
import { isTooOld, lookAtRedis, stayInGroup } from '../cache/buses/redis/look.ts';
import type { Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';

export interface CheckedBus {
  /** Null where it cannot be used. */
  readonly version: string | null;
  readonly findings: readonly Finding[];
}

/** Null where no server connects the gateways. */
export async function checkBus({ cache: { bus } }: Settings): Promise<CheckedBus | null> {
  if (typeof bus === 'string') return null;
  const path = ['cache', 'bus'];
  try {
    const version = await lookAtRedis(bus.server);
    if (isTooOld(version))
      return { version, findings: [{ path, says: `must be Redis 6.2 or newer, or Valkey, not ${version}` }] };
    await stayInGroup({ ...bus, lease: usualLease });
    return { version, findings: [] };
  } catch (cause) {
    const why = cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
    return { version: null, findings: [{ path, says: `cannot be used: ${why}` }] };
  }
}
