/** Converts between the filter form's conditions and the API's. */
import type { Column, Kind } from '../ask/columns.ts';
import { type Condition, escapedPattern } from '../ask/conditions.ts';
import { type Json, textOf } from '../ask/json.ts';
import type { Choice } from '../parts/condition-words.ts';

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

/** @param current the choice of the condition to edit, which an address may have for any column; null for none */
export const choicesOf = ({ kind }: Column, current: Choice | null): readonly Choice[] =>
  current === null || choices[kind].includes(current) ? choices[kind] : [current, ...choices[kind]];

export function inputOf(choice: Choice): Input {
  if (['isNull', 'notNull', 'isTrue', 'isFalse'].includes(choice)) return 'none';
  if (choice === 'between') return 'two';
  return choice === 'in' || choice === 'nin' ? 'many' : 'one';
}

/** @param values the inputs' values, already converted for the column */
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
        { field, op: 'lte', value: values[1] ?? '' },
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
