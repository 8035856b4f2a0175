import type { Outage } from '../../model/catalog.ts';
import { DatabaseUnavailable } from './breaker.ts';
import { ConnectTimeout, PoolTimeout, SharedSession, StatementTimeout } from './session.ts';

/**
 * Why a database cannot be used: from our own timeouts, or from the driver's error.
 * @param said reads the driver's errors
 */
export function outageOf(error: unknown, said: (error: unknown) => Outage): Outage {
  if (error instanceof DatabaseUnavailable)
    return error.cause === undefined ? silent(null) : outageOf(error.cause, said);
  if (error instanceof ConnectTimeout || error instanceof StatementTimeout) return silent(error.milliseconds);
  if (error instanceof PoolTimeout) return { is: 'busy' };
  if (error instanceof SharedSession) return { is: 'shared' };
  return said(error);
}

const silent = (milliseconds: number | null): Outage => ({ is: 'silent', milliseconds });
