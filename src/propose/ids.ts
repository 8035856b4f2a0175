/** Pure. Makes the ids of proposed resources, which must not change once they are in a configuration. */
import type { TableName } from '../model/catalog.ts';

/** The id for a table: its name in lower case, with `_` for every character that is not a letter or digit of any script. */
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
 * Returns an unused id: the wanted one if it is free, else the same with the database's name in front, else with a number at the end.
 * @param taken the ids in use; the returned one is added
 */
export function freeId(wanted: string, database: string, taken: Set<string>): string {
  const candidates = [wanted, `${database}_${wanted}`];
  let id = candidates.find((candidate) => !taken.has(candidate)) ?? null;
  for (let n = 2; id === null; n++) if (!taken.has(`${wanted}_${n}`)) id = `${wanted}_${n}`;
  taken.add(id);
  return id;
}
