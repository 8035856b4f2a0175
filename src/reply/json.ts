import { LosslessNumber, stringify } from 'lossless-json';
import type { Json } from '../value.ts';

/** JSON text of a value; numbers that kept their text are written as it. `lossless-json` only where there is one. */
export function toJson(value: Json): string {
  return (isExact(value) ? JSON.stringify(value) : stringify(value)) ?? 'null';
}

function isExact(value: Json): boolean {
  if (value === null || typeof value !== 'object') return true;
  return !(value instanceof LosslessNumber) && Object.values(value).every(isExact);
}
