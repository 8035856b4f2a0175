/** Conditions as text, as the chips and the filter form show them. */
import type { Kind } from '../ask/columns.ts';
import { type Condition, isGroup } from '../ask/conditions.ts';
import { isList, textOf } from '../ask/json.ts';
import type { Labels } from '../ask/labels.ts';
import type { Table } from '../ask/table.ts';
import { say, shownCount } from '../texts/index.ts';
import type { Texts } from '../texts/words.ts';
import { shownText } from './format.ts';
import { lookOf } from './looks.ts';

export type Choice = keyof Texts['page']['operators'];

/** The choice and the texts that the form shows to edit an existing condition. */
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

/** Shorter than the form's words. */
const signs: Readonly<Partial<Record<Choice, string>>> = {
  gte: '≥',
  gt: '>',
  lte: '≤',
  lt: '<',
  in: say.operators.eq,
  nin: say.operators.ne,
};

export interface ConditionWords {
  /** The column and the operator, such as `kind is`. */
  readonly what: string;
  /** The values; '' if the operator takes none. */
  readonly values: string;
}

/** @param labels the labels of the records that columns refer to, as far as they are loaded */
export function conditionWords(condition: Condition, table: Table, labels: Labels | null = null): ConditionWords {
  if (isGroup(condition)) return { what: JSON.stringify(condition.group), values: '' };
  const column = table.columns.find(({ name }) => name === condition.field);
  const { choice, values } = choiceOf(condition, column?.kind ?? 'opaque');
  const shown = (text: string) =>
    labels?.labelOf(condition.field, text) ??
    (column === undefined ? text : shownText(text, column, lookOf(column, table).isGrouped));
  const few = values.slice(0, 3).map((one) => (one === '' ? say.quotes.join('') : shown(one)));
  const more = values.length > few.length ? ` … ${say.moreValues(shownCount(values.length - few.length))}` : '';
  return {
    what: `${column?.label ?? condition.field} ${signs[choice] ?? say.operators[choice]}`,
    values: `${few.join(more === '' ? ` ${say.or} ` : ', ')}${more}`,
  };
}

/** A condition as one text, such as `kind is roof`. */
export function inWords(condition: Condition, table: Table, labels: Labels | null = null): string {
  const { what, values } = conditionWords(condition, table, labels);
  return `${what} ${values}`.trim();
}
