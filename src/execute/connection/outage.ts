import type { Outage } from '../../model/catalog.ts';
import { DatabaseUnavailable } from './breaker.ts';
import { ConnectTimeout, PoolTimeout, SharedSession, StatementTimeout } from './session.ts';

/**
 * Finds out from an error why a database cannot be used.
 * @param driverOutage classifies the driver's errors; we handle our own here (timeouts, a full pool)
 */
export function outageOf(error: unknown, driverOutage: (error: unknown) => Outage): Outage {
  if (error instanceof DatabaseUnavailable)
    return error.cause === undefined ? silent(null) : outageOf(error.cause, driverOutage);
  if (error instanceof ConnectTimeout || error instanceof StatementTimeout) return silent(error.milliseconds);
  if (error instanceof PoolTimeout) return { is: 'busy' };
  if (error instanceof SharedSession) return { is: 'shared' };
  return driverOutage(error);
}

const silent = (milliseconds: number | null): Outage => ({ is: 'silent', milliseconds });
