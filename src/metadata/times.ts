/** Times as catalogues write them. Pure. */
import { momentOf } from '../values/moment.ts';

const shownTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?)?(?:Z|\+00(?::00)?)?$/;

/**
 * A time as the API shows it → UTC with microseconds and no zone, as CKAN writes it: texts of this form are compared as texts. A time
 * without a zone counts as UTC. Null for anything else, such as an infinity.
 */
export function utc(shown: string): string | null {
  const [, day, clock = '00:00:00', fraction = ''] = shownTime.exec(shown) ?? [];
  return day === undefined || momentOf(day) === null ? null : `${day}T${clock}.${fraction.padEnd(6, '0')}`;
}

/** The UTC of milliseconds since 1970, as `utc` writes it. */
export const utcOf = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('Z', '000');

/** A text of `utc` as ISO 8601: `2026-11-27T10:21:00Z`. */
export const iso = (utcText: string): string => `${utcText.replace(/0+$/, '').replace(/\.$/, '')}Z`;
