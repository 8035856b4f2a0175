/** Converts between the API's `filters` and the flat list of conditions that the page shows. */
import { isList, isObject, type Json, type JsonObject } from './json.ts';

export const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'like', 'ilike', 'null'] as const;
export type Operator = (typeof operators)[number];

/** `group`: a nested filter, such as an `$or`. The page can show and remove it, but not edit it. */
export type Condition =
  | { readonly field: string; readonly op: Operator; readonly value: Json }
  | { readonly group: JsonObject };

export const isGroup = (one: Condition): one is Extract<Condition, { group: JsonObject }> => 'group' in one;

const isOperator = (name: string): name is Operator => operators.some((one) => one === name);
const isScalar = (value: Json): boolean => !isList(value) && !isObject(value);

/** Reads `filters`, which may come from a hand-written URL. Anything that a flat condition cannot express becomes a group. */
export function conditionsOf(filters: JsonObject): readonly Condition[] {
  return Object.entries(filters).flatMap(([name, said]) => {
    const simple = name === '$and' && isList(said) ? flattened(said) : conditionsOn(name, said);
    return simple ?? [{ group: { [name]: said } }];
  });
}

function flattened(all: readonly Json[]): readonly Condition[] | null {
  return all.every(isObject) ? all.flatMap(conditionsOf) : null;
}

function conditionsOn(name: string, said: Json): readonly Condition[] | null {
  if (/^\$(?!\$)/.test(name)) return null;
  const field = name.startsWith('$$') ? name.slice(1) : name;
  if (said === null) return [{ field, op: 'null', value: true }];
  if (isScalar(said)) return [{ field, op: 'eq', value: said }];
  if (isList(said)) return said.every(isScalar) ? [{ field, op: 'in', value: said }] : null;
  const parts = Object.entries(isObject(said) ? said : {});
  const simple = parts.flatMap(([op, value]) => (isOperator(op) ? [{ field, op, value }] : []));
  return parts.length > 0 && simple.length === parts.length ? simple : null;
}

/** Builds the shortest `filters` that require all of the conditions. */
export function filtersOf(conditions: readonly Condition[]): JsonObject {
  // A field may be called `__proto__`: assigning that to an object would set its prototype.
  const byField = new Map<string, Json>();
  const others: JsonObject[] = [];
  for (const [name, part] of conditions.flatMap(partsOf)) {
    const before = byField.get(name);
    if (before === undefined) byField.set(name, part);
    else if (isObject(before) && isObject(part) && !Object.keys(part).some((op) => Object.hasOwn(before, op)))
      byField.set(name, { ...before, ...part });
    else others.push({ [name]: part });
  }
  return { ...Object.fromEntries(byField), ...(others.length === 0 ? {} : { $and: others }) };
}

function partsOf(condition: Condition): readonly (readonly [string, Json])[] {
  if (isGroup(condition)) return Object.entries(condition.group);
  const { field, op, value } = condition;
  const name = field.startsWith('$') ? `$${field}` : field;
  if (op === 'eq' && isScalar(value) && value !== null) return [[name, value]];
  return [[name, op === 'in' && isList(value) ? value : { [op]: value }]];
}

/** Replaces the conditions on the new ones' fields, and keeps all others. */
export function replaceConditions(conditions: readonly Condition[], by: readonly Condition[]): readonly Condition[] {
  const fields = new Set(by.flatMap((one) => (isGroup(one) ? [] : [one.field])));
  return [...conditions.filter((one) => isGroup(one) || !fields.has(one.field)), ...by];
}

/** Escapes a text, so that as a pattern for `like` or `ilike` it matches only itself. */
export const escapedPattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
