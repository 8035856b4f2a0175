import { isNarrow, quotedName, type Rule } from './facts.ts';

/** Finds writable text columns whose character set lacks some characters, so that records with such a character are refused. */
export const charset: Rule = ({ resources, server }) =>
  resources.flatMap(({ id, table, catalogTable, write }) => {
    const narrow =
      write !== 'none' ? table.columns.filter((column) => column.type.kind === 'text' && isNarrow(column)) : [];
    const [first] = narrow;
    if (first === undefined || catalogTable.kind === 'view') return [];
    const names = narrow.map((column) => `${quotedName(column.label)} (${column.charset})`).join(', ');
    const says = `is token, but these columns do not hold every character, and a record with another is refused: ${names}`;
    const sql = server.remedies.unicode(catalogTable, narrow);
    return [{ path: ['resources', id, 'access', 'write'], says, ...(sql === null ? {} : { sql }) }];
  });
