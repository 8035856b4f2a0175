/** A text member of a driver's error; null where there is none. */
export function member(error: unknown, name: string): string | null {
  if (typeof error !== 'object' || error === null || !(name in error)) return null;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
}
