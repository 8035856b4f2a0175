import type { Type } from '../model/table.ts';
import { maxScale } from './decimal.ts';

/** The spelling of a number that the column holds as a double prints it, as most do; null for all that need a closer look. */
export function usualNumber(json: number, type: Type): string | null {
  switch (type.kind) {
    case 'int':
      return Number.isSafeInteger(json) && json >= type.min && json <= type.max ? String(json) : null;
    case 'float':
      return type.bits === 64 && type.scale === undefined && json !== 0 ? String(json) : null;
    case 'decimal': {
      const places = type.precision === null ? maxScale : (type.scale ?? 0);
      // 10 to the 15th and its like are exact, and numbers from 0.000001 on have no exponent.
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
