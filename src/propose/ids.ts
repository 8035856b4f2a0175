/** Pure. Makes ids, which must not change once they are in a configuration. */
import type { TableName } from '../model/catalog.ts';

/** The id of a table: lower case, with `_` in place of all characters but letters and digits of any script. */
export function idOf({ schema, name }: TableName, defaultSchema: string | null): string {
  const whole = schema === null || schema === defaultSchema ? name : `${schema}_${name}`;
  const id = whole
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  return id === '' ? 'table' : id;
}

/**
 * Returns an id that is not taken: the wanted one, else with the name of its database, else with a number.
 * @param taken the ids in use; the returned one is added
 */
export function freeId(wanted: string, database: string, taken: Set<string>): string {
  const candidates = [wanted, `${database}_${wanted}`];
  let id = candidates.find((candidate) => !taken.has(candidate)) ?? null;
  for (let n = 2; id === null; n++) if (!taken.has(`${wanted}_${n}`)) id = `${wanted}_${n}`;
  taken.add(id);
  return id;
}
