/** Pure. Names for databases and resources that stay as they are once they are written down. */
import type { TableName } from '../model/catalog.ts';

/** Lower case; each other character than a letter or digit, of any script, becomes `_`. */
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
 * An id that is not taken: the wanted one, then with the name of its database, then with a number. Takes it.
 * @param taken ids, which grow by the returned one
 */
export function freeId(wanted: string, database: string, taken: Set<string>): string {
  const candidates = [wanted, `${database}_${wanted}`];
  let id = candidates.find((candidate) => !taken.has(candidate)) ?? null;
  for (let n = 2; id === null; n++) if (!taken.has(`${wanted}_${n}`)) id = `${wanted}_${n}`;
  taken.add(id);
  return id;
}
