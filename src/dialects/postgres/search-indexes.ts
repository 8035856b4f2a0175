/** Reads from the catalogue which indexes word searches can use: full-text (tsvector) and trigram indexes. */
import type { CatalogSearchIndex, Server } from '../../model/catalog.ts';
import type { Column } from '../../model/table.ts';
import type { Cell } from '../../model/value.ts';
import { text } from '../cells.ts';
import { isWholeWord } from '../words.ts';
import { quote } from './column.ts';
import { foldingOf } from './contains.ts';
import { readVector } from './vector.ts';

const isIndexed = `EXISTS (SELECT FROM pg_index i JOIN pg_class ic ON ic.oid = i.indexrelid JOIN pg_am am ON am.oid = ic.relam AND am.amname IN ('gin', 'gist')
    WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL AND i.indkey[0] = a.attnum)`;
const isTsvector = `a.attrelid = c.oid AND a.atttypid = 'tsvector'::regtype AND NOT a.attisdropped`;
/**
 * A trigger that maintains a tsvector column: it runs for each row, before INSERT and UPDATE. It must be the last trigger, because a later
 * one might change the vector. It must not use generated columns, whose values it does not see. A NUL follows each of its arguments.
 */
const keepsVector = `t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgfoid = 'pg_catalog.tsvector_update_trigger'::regproc
    AND t.tgenabled IN ('O', 'A') AND t.tgtype = 23 AND t.tgqual IS NULL AND cardinality(t.tgattr::int2[]) = 0
    AND NOT EXISTS (SELECT FROM pg_trigger later WHERE later.tgrelid = c.oid AND NOT later.tgisinternal AND later.tgenabled <> 'D'
      AND later.tgtype & 3 = 3 AND later.tgname > t.tgname)
    AND NOT EXISTS (SELECT FROM pg_attribute g WHERE g.attrelid = c.oid AND g.attgenerated <> ''
      AND position('\\x00'::bytea || convert_to(g.attname, getdatabaseencoding()) || '\\x00'::bytea IN '\\x00'::bytea || t.tgargs) > 0)`;

/**
 * A query for three kinds of index: over to_tsvector expressions, over tsvector columns that are generated or maintained by a trigger, and
 * trigram indexes.
 * @param wantedTables the FROM clause of the tables, as `n` and `c`
 */
export const searchQuery = (
  wantedTables: string,
): string => `SELECT n.nspname, c.relname, 'vector', pg_get_expr(i.indexprs, i.indrelid), NULL
  FROM ${wantedTables} JOIN pg_index i ON i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL AND i.indnatts = 1 AND i.indkey[0] = 0
  JOIN pg_class ic ON ic.oid = i.indexrelid JOIN pg_am am ON am.oid = ic.relam AND am.amname IN ('gin', 'gist')
  UNION ALL
  SELECT n.nspname, c.relname, 'vector', pg_get_expr(ad.adbin, ad.adrelid), a.attname
  FROM ${wantedTables} JOIN pg_attribute a ON ${isTsvector} AND a.attgenerated = 's'
  JOIN pg_attrdef ad ON ad.adrelid = c.oid AND ad.adnum = a.attnum WHERE ${isIndexed}
  UNION ALL
  SELECT n.nspname, c.relname, 'trigger', encode(t.tgargs, 'hex'), a.attname
  FROM ${wantedTables} JOIN pg_trigger t ON ${keepsVector} JOIN pg_attribute a ON ${isTsvector}
    AND a.attname = convert_from(substring(t.tgargs FROM 1 FOR position('\\x00'::bytea IN t.tgargs) - 1), getdatabaseencoding()) WHERE ${isIndexed}
  UNION ALL
  SELECT n.nspname, c.relname, 'trigrams', pg_get_indexdef(i.indexrelid, u.nth::int, false), coalesce(co.collname, 'default')
  FROM ${wantedTables} JOIN pg_index i ON i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL
  CROSS JOIN unnest(i.indclass::oid[], i.indcollation::oid[]) WITH ORDINALITY u(class, folds, nth)
  JOIN pg_opclass o ON o.oid = u.class AND o.opcname IN ('gin_trgm_ops', 'gist_trgm_ops')
  LEFT JOIN pg_collation co ON co.oid = u.folds`;

/** The full-text indexes in these rows. The planner only matches an expression that is spelled as pg_get_expr spells it. */
export function searchIndexes(
  rows: readonly (readonly Cell[])[],
  columns: readonly Column[],
): readonly CatalogSearchIndex[] {
  const find = (name: string) => columns.find((column) => column.name === name);
  return rows.flatMap(([, , kind, definition, stored = null]): CatalogSearchIndex[] => {
    const vector =
      kind === 'vector' ? readVector(text(definition), find) : kind === 'trigger' ? keptVector(text(definition)) : null;
    if (vector === null) return [];
    const { mayBeNull, ...of } = vector;
    return [
      {
        ...of,
        ...(stored === null
          ? { expression: `(${text(definition)})` }
          : { expression: quote(text(stored)), stored: text(stored) }),
        ...(mayBeNull ? { mayBeNull } : {}),
        answers: isWholeWord,
        ignores: () => false,
      },
    ];
  });
}

/** The arguments of tsvector_update_trigger, each followed by a NUL: the column, the configuration with its schema, the texts. */
function keptVector(hex: string): {
  readonly language: string;
  readonly columns: readonly string[];
  readonly mayBeNull: false;
} {
  const [, language = '', ...columns] = Buffer.from(hex, 'hex').toString('utf8').split('\0');
  // A NUL ends each argument, so the part after the last NUL is empty.
  return { language: language.replace(/^pg_catalog\./, ''), columns: columns.slice(0, -1), mayBeNull: false };
}

/** Whether one of these rows is a trigram index over the expression that `q` searches, in the same collation. */
export function hasTrigrams(rows: readonly (readonly Cell[])[], column: Column, server: Server): boolean {
  // Strips casts to text and parentheses, which the server ignores, too, and the collation, which we compare below.
  const bare = (sql: string) => sql.replace(/::text|::character varying| COLLATE ("[^"]*"|\w+)|[()"]/g, '');
  const unquoted = (sql: string) => sql.replaceAll('"', '');
  return rows.some(
    ([, , kind, definition, collation = null]) =>
      kind === 'trigrams' &&
      bare(text(definition)) === bare(quote(column.name)) &&
      text(collation) === unquoted(foldingOf(column, server)),
  );
}
