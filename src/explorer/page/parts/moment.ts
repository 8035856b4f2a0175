/** Reads times as the API writes them. Pure. */

/** Milliseconds since 1970 of a time, in UTC if it names no zone; NaN for a time that JavaScript cannot read. */
export function timeOf(time: string): number {
  const hasZone = !time.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(time);
  return Date.parse(hasZone ? time : `${time}Z`);
}

/** Whether a date, or a time in the time zone of the user, is on this day. */
export function isOn(time: string, day: Date): boolean {
  return new Date(time.includes('T') ? timeOf(time) : `${time}T00:00`).toDateString() === day.toDateString();
}
