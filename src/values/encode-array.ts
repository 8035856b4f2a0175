import type { Encoder } from '../model/rows.ts';
import { type ArrayItem, readArray } from './array-text.ts';

/** PostgreSQL's array literal (`{1,NULL,"a\"b"}` or `[0:1]={1,2}`, maybe nested) → a compact JSON array. */
export const parseArray = (literal: string, element: Encoder): string => list(itemsOf(literal), element);

/** The elements of an array literal, as PostgreSQL sends it. */
export function itemsOf(literal: string): readonly ArrayItem[] {
  const items = readArray(literal.startsWith('[') ? literal.slice(literal.indexOf('=') + 1) : literal, Infinity);
  if (typeof items === 'string') throw new Error(`the text of an array has a fault: ${items}`);
  return items;
}

/** The text of a vector, such as `1 2 3` → a compact JSON array. */
export function parseVector(text: string, element: Encoder): string {
  return list(text === '' ? [] : text.split(' '), element);
}

/** The recursion is only as deep as the array has dimensions. */
function list(items: readonly ArrayItem[], element: Encoder): string {
  const parts = items.map((item) =>
    item === null ? 'null' : typeof item === 'string' ? element.json(item) : list(item, element),
  );
  return `[${parts.join(',')}]`;
}
