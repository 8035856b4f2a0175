import type { Type } from '../model/table.ts';
import { maxScale } from './decimal.ts';

/** A fast path for most numbers, whose text as a double is already the column's value. Null if a number needs the full conversion. */
export function usualNumber(json: number, type: Type): string | null {
  switch (type.kind) {
    case 'int':
      return Number.isSafeInteger(json) && json >= type.min && json <= type.max ? String(json) : null;
    case 'float':
      return type.bits === 64 && type.scale === undefined && json !== 0 ? String(json) : null;
    case 'decimal': {
      const places = type.precision === null ? maxScale : (type.scale ?? 0);
      // Powers of ten up to 10^15 are exact, and doubles from 0.000001 on print without an exponent.
      const whole = type.precision === null ? 15 : Math.min(15, type.precision - places);
      const size = Math.abs(json);
      if (places < 0 || whole < 0 || size >= 10 ** whole || size < 0.000001) return null;
      const text = String(json);
      const point = text.indexOf('.');
      return point === -1 || text.length - point - 1 <= places ? text : null;
    }
    default:
      return null;
  }
}
