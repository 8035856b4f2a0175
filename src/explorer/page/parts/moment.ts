/** Reads times as the API writes them. Pure. */

/** A time in milliseconds since 1970, read as UTC if it has no time zone; NaN if JavaScript cannot read it. */
export function timeOf(time: string): number {
  const hasZone = !time.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(time);
  return Date.parse(hasZone ? time : `${time}Z`);
}

/** Whether a date, or a time in the user's time zone, is on this day. */
export function isOn(time: string, day: Date): boolean {
  return new Date(time.includes('T') ? timeOf(time) : `${time}T00:00`).toDateString() === day.toDateString();
}
