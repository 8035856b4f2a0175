/** The columns by which records can be counted in groups, and the ranges of their values. */
import { invalid } from '../../model/errors.ts';
import type { ByRange, Where } from '../../model/plan.ts';
import type { Step } from '../../model/question.ts';
import { type Column, hasEquality } from '../../model/table.ts';
import { calendarEdges, stepsOf, type TimeKind } from '../../values/calendar-edges.ts';
import { parseJson } from '../../values/json.ts';
import { numberEdges } from '../../values/number-edges.ts';
import { wireType } from '../query/columns.ts';
import { compared } from '../query/conditions.ts';

/** The fewest ranges a call may ask for: zero is always an edge, so negative and positive numbers need a range each. */
export const minRanges = 2;
/** The most ranges of a call: each costs a comparison in the SQL statement, and an object in the answer. */
export const maxRanges = 1000;

/** Whether records can be grouped by this column. Each group comes with a filter, which must find exactly its records. */
export function canGroup({ type }: Column): boolean {
  return hasEquality(type) && type.kind !== 'json' && type.kind !== 'array' && type.kind !== 'binary';
}

/** How a column's dates or timestamps look; null for all other columns. */
export function timeKind({ type }: Column): TimeKind | null {
  if (type.kind === 'date') return { isDate: true, zoned: false, infinite: type.infinite };
  return type.kind === 'timestamp' ? { isDate: false, zoned: type.zoned, infinite: type.infinite } : null;
}

/** Whether the column has numbers, dates or timestamps. */
export const canRange = (column: Column): boolean =>
  timeKind(column) !== null || ['int', 'decimal', 'float'].includes(column.type.kind);

/** The ranges of a column. Throws a 409 if its type cannot be divided into ranges, or not by this calendar step. */
export function rangesOf(column: Column, ranges: number | Step): ByRange {
  const kind = timeKind(column);
  const refused = (text: string) => invalid({ by: [`${text} (field "${column.label}")`] });
  if (!canRange(column)) throw refused(`a field of type ${wireType(column.type)} has no ranges`);
  if (typeof ranges === 'string') {
    const steps = kind === null ? [] : stepsOf(kind);
    if (kind === null) throw refused(`every: a field of type ${wireType(column.type)} has no calendar; use bins`);
    if (!steps.includes(ranges)) throw refused(`every must be one of ${steps.join(', ')}, got: "${ranges}"`);
  }
  return {
    is: 'range',
    finite: finite(column),
    edges(least, greatest) {
      const texts =
        kind !== null
          ? calendarEdges(least, greatest, ranges, kind, maxRanges)
          : typeof ranges === 'number'
            ? numberEdges(least, greatest, ranges, placesOf(column))
            : [];
      if (typeof texts === 'number')
        throw refused(
          `every ${ranges} from ${least} to ${greatest} must make at most ${maxRanges} ranges, got: ${texts}; ask for longer ones, or filter`,
        );
      return texts.map((text) => {
        const at = kind === null ? parseJson(text, 1) : text;
        if (at === null) throw new TypeError('an edge is a value');
        return { at, below: compared(column, { op: 'lt', field: column.label, value: at }) };
      });
    },
  };
}

/** The condition that a record has a value, other than an infinity or NaN. */
function finite(column: Column): Where {
  const { type } = column;
  const between = (least: string | null, most: string): readonly Where[] => [
    ...(least === null ? [] : [{ op: 'gt', column, value: least } as const]),
    { op: 'lt', column, value: most },
  ];
  const isNumber = (type.kind === 'decimal' || type.kind === 'float') && type.nan;
  const hasInfinity = type.kind === 'float' || (type.kind === 'decimal' && type.infinite === true);
  const bounds = isNumber
    ? hasInfinity
      ? between('-Infinity', 'Infinity')
      : between(null, 'NaN')
    : (type.kind === 'date' || type.kind === 'timestamp') && type.infinite
      ? between('-infinity', 'infinity')
      : [];
  return { op: 'all', of: [{ op: 'not', of: { op: 'null', column } }, ...bounds] };
}

/** The number of fractional digits of a column; null if it is not limited. */
function placesOf({ type }: Column): number | null {
  if (type.kind === 'int') return 0;
  return type.kind === 'decimal' && type.precision !== null ? (type.scale ?? 0) : null;
}
