import type { Column } from '../model/table.ts';
import { quotedName, type Rule } from './facts.ts';

/** Finds records so large that a page of the default length would exceed `limits.responseBytes`. */
export const sizes: Rule = ({ resources, server, limits }) =>
  resources.flatMap(({ id, table, catalogTable }) => {
    const size = server.sizes.find(
      (one) => one.table.name === catalogTable.name && one.table.schema === catalogTable.schema,
    );
    const shown = new Set(table.columns.map(({ name }) => name));
    const long = catalogTable.columns.filter(isLong);
    // If a long column is hidden, we can't tell how large the visible part of a record is.
    if (size === undefined || long.length === 0 || long.some(({ name }) => !shown.has(name))) return [];
    if (size.bytes * limits.rowsDefault <= limits.responseBytes) return [];
    const says = `has records of about ${bytes(size.bytes)}: a page of limits.rowsDefault, ${limits.rowsDefault}, is more than limits.responseBytes, ${bytes(limits.responseBytes)}, and is refused; hide what nobody reads (${long.map(({ name }) => quotedName(name)).join(', ')}), or lower limits.rowsDefault`;
    return [{ path: ['resources', id, 'table'], says }];
  });

const isLong = ({ type }: Column): boolean =>
  type.kind === 'json' ||
  ((type.kind === 'text' || type.kind === 'binary') && (type.length === null || type.length > 10_000));

const bytes = (count: number): string =>
  count >= 1e6 ? `${(count / 1e6).toFixed(1)} MB` : count >= 1e3 ? `${Math.round(count / 1e3)} kB` : `${count} bytes`;
