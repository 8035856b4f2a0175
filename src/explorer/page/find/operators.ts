/** Converts between the conditions that the filter form offers and those of the API. */

import type { Column, Kind } from '../ask/columns.ts';
import type { Condition } from '../ask/conditions.ts';
import { isGroup } from '../ask/conditions.ts';
import { isList, type Json, numberOf, textOf } from '../ask/json.ts';
import type { Texts } from '../texts/en.ts';
import { say, shownCount } from '../texts/index.ts';

export type Choice = keyof Texts['operators'];
/** How many values an operator takes. */
export type Input = 'none' | 'one' | 'two' | 'many';

const bare: readonly Choice[] = ['isNull', 'notNull'];
const choices: Readonly<Record<Kind, readonly Choice[]>> = {
  number: ['eq', 'ne', 'gte', 'gt', 'lte', 'lt', 'between', 'in', 'nin', ...bare],
  time: ['since', 'after', 'until', 'before', 'between', 'eq', 'ne', ...bare],
  text: ['eq', 'ne', 'contains', 'begins', 'ends', 'in', 'nin', ...bare],
  bool: ['isTrue', 'isFalse', ...bare],
  opaque: ['eq', 'ne', 'in', 'nin', ...bare],
  other: bare,
};

export const choicesOf = ({ kind }: Column): readonly Choice[] => choices[kind];

export function inputOf(choice: Choice): Input {
  if (['isNull', 'notNull', 'isTrue', 'isFalse'].includes(choice)) return 'none';
  if (choice === 'between') return 'two';
  return choice === 'in' || choice === 'nin' ? 'many' : 'one';
}

/** Converts typed text into the value of a condition. Undefined if the column is numeric and the text is not a number. */
export function valueFromInput(text: string, { kind }: Column): Json | undefined {
  if (kind !== 'number') return text;
  // CKAN writes these as strings.
  return /^(?:NaN|-?Infinity)$/.test(text.trim()) ? text.trim() : (numberOf(text) ?? undefined);
}

/** @param values the values of the inputs, already converted for the column */
export function conditionsFrom(field: string, choice: Choice, values: readonly Json[]): readonly Condition[] {
  const value = values[0] ?? '';
  const like = (before: string, after: string): readonly Condition[] => [
    { field, op: 'ilike', value: `${before}${escapedPattern(textOf(value) ?? '')}${after}` },
  ];
  switch (choice) {
    case 'isNull':
    case 'notNull':
      return [{ field, op: 'null', value: choice === 'isNull' }];
    case 'isTrue':
    case 'isFalse':
      return [{ field, op: 'eq', value: choice === 'isTrue' }];
    case 'contains':
      return like('%', '%');
    case 'begins':
      return like('', '%');
    case 'ends':
      return like('%', '');
    case 'between':
      return [
        { field, op: 'gte', value },
        { field, op: 'lte', value: values[1] ?? value },
      ];
    case 'in':
    case 'nin':
      return [{ field, op: choice, value: values }];
    default:
      return [{ field, op: apiOperator(choice), value }];
  }
}

function apiOperator(choice: Choice): 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'ilike' {
  switch (choice) {
    case 'ne':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'like':
    case 'ilike':
      return choice;
    case 'since':
      return 'gte';
    case 'after':
      return 'gt';
    case 'until':
      return 'lte';
    case 'before':
      return 'lt';
    default:
      return 'eq';
  }
}

const escapedPattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The choice and the texts with which the form edits an existing condition. */
export function choiceOf(
  condition: Condition,
  kind: Kind,
): { readonly choice: Choice; readonly values: readonly string[] } {
  if (isGroup(condition)) return { choice: 'eq', values: [] };
  const { op, value } = condition;
  const values = (isList(value) ? value : [value]).map((one) => textOf(one) ?? '');
  if (op === 'null') return { choice: value === true ? 'isNull' : 'notNull', values: [] };
  if (op === 'eq' && typeof value === 'boolean') return { choice: value ? 'isTrue' : 'isFalse', values: [] };
  if (op === 'ilike' && typeof value === 'string') return pattern(value);
  const times = { gte: 'since', gt: 'after', lte: 'until', lt: 'before' } as const;
  const isTime = kind === 'time' && (op === 'gte' || op === 'gt' || op === 'lte' || op === 'lt');
  return { choice: isTime ? times[op] : op, values };
}

function pattern(value: string): ReturnType<typeof choiceOf> {
  const [, before = '', middle = '', after = ''] = /^(%?)((?:[^\\%_]|\\.)*)(%?)$/s.exec(value) ?? [];
  const text = middle.replace(/\\(.)/gs, '$1');
  if (middle === '' || (before === '' && after === '')) return { choice: 'ilike', values: [value] };
  return { choice: before === '' ? 'begins' : after === '' ? 'ends' : 'contains', values: [text] };
}

/** Describes a condition, such as `kind is roof`. */
export function inWords(condition: Condition, columns: readonly Column[]): string {
  if (isGroup(condition)) return JSON.stringify(condition.group);
  const column = columns.find(({ name }) => name === condition.field);
  const { choice, values } = choiceOf(condition, column?.kind ?? 'opaque');
  const few = values.slice(0, 3).map((one) => (one === '' ? '“”' : one));
  const more = values.length > few.length ? ` … ${say.moreValues(shownCount(values.length - few.length))}` : '';
  return `${column?.label ?? condition.field} ${say.operators[choice]} ${few.join(', ')}${more}`.trim();
}
