import type { Outage } from '../../model/catalog.ts';
import { Away } from './breaker.ts';
import { Busy, Overdue, Unanswered } from './session.ts';

/**
 * Why a database cannot be used: what we found out ourselves, or what its driver said.
 * @param said reads the driver's errors
 */
export function outageOf(error: unknown, said: (error: unknown) => Outage): Outage {
  if (error instanceof Away) return error.cause === undefined ? silent(null) : outageOf(error.cause, said);
  if (error instanceof Unanswered || error instanceof Overdue) return silent(error.milliseconds);
  if (error instanceof Busy) return { is: 'busy' };
  return said(error);
}

const silent = (milliseconds: number | null): Outage => ({ is: 'silent', milliseconds });
