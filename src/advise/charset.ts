import { isNarrow, named, type Rule } from './facts.ts';

/** Finds writable text columns whose character set lacks some characters: records with such a character are refused. */
export const charset: Rule = ({ resources, server }) =>
  resources.flatMap(({ id, table, found, write }) => {
    const narrow =
      write === 'token' ? table.columns.filter((column) => column.type.kind === 'text' && isNarrow(column)) : [];
    const [first] = narrow;
    if (first === undefined || found.kind === 'view') return [];
    const names = narrow.map((column) => `${named(column.label)} (${column.charset})`).join(', ');
    const says = `is token, but these columns do not hold every character, and a record with another is refused: ${names}`;
    const sql = server.remedies.unicode(found, narrow);
    return [{ path: ['resources', id, 'access', 'write'], says, ...(sql === null ? {} : { sql }) }];
  });
