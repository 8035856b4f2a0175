import type { Expr } from '../../model/question.ts';
import type { Column } from '../../model/table.ts';
import type { Json } from '../../model/value.ts';
import { calendarEdges } from '../../values/calendar-edges.ts';
import { parseJson } from '../../values/json.ts';
import { timeKind } from './ranges.ts';

/**
 * The filter condition on the group's field that finds the group's records.
 * @param json the value of the group as answers show it
 */
export function conditionOf(group: Expr, json: string): Json {
  const from = parseJson(json, 1);
  if (from === null) return from;
  if (group.is === 'floor') return /^"/.test(json) ? from : { gte: from, lt: parseJson(plus(json, group.width), 1) };
  if (group.is !== 'truncate') return from;
  const kind = timeKind(groupedColumn(group));
  const edges = kind === null ? [] : calendarEdges(String(from), String(from), group.every, kind, 1);
  const [, to] = Array.isArray(edges) ? edges : [];
  // An infinity belongs to no calendar unit.
  return typeof to === 'string' ? { gte: from, lt: to } : from;
}

/** The column of a group. */
export function groupedColumn(group: Expr): Column {
  if (group.is === 'column') return group.column;
  if (group.is === 'truncate' || group.is === 'floor' || group.is === 'cast') return groupedColumn(group.of);
  throw new TypeError('a group is of a column');
}

/** Adds two decimals, digit by digit. */
function plus(one: string, other: string): string {
  const places = Math.max(...[one, other].map(placesIn));
  const units = [one, other].map((text) => BigInt(text.replace('.', '') + '0'.repeat(places - placesIn(text))));
  const sum = units.reduce((all, each) => all + each);
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${sum < 0n ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}

const placesIn = (text: string): number => text.split('.')[1]?.length ?? 0;
