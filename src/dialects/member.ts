/** A property of a driver's error as text; null if it is missing, or neither a string nor a number. */
export function member(error: unknown, name: string): string | null {
  if (typeof error !== 'object' || error === null || !(name in error)) return null;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
}
