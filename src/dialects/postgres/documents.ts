/** Compares columns of type json, which store a document as text, with JSON values. */
import type { Server } from '../../model/catalog.ts';
import type { Column } from '../../model/table.ts';
import { type Expression, id, raw } from '../knex.ts';

/**
 * Equality by jsonb. A document that jsonb cannot hold (U+0000, half a surrogate pair) equals nothing. Before PostgreSQL 16 we cannot
 * test for such a document, and it makes the statement fail.
 * @param values an array literal
 */
export function amongDocuments(column: Column, values: string, { version: [major = 0] }: Server): Expression {
  const name = id(column);
  const equals = raw('??::jsonb = ANY(?::jsonb[])', [name, values]);
  return major < 16 ? equals : raw("CASE WHEN pg_input_is_valid(??::text, 'jsonb') THEN ? END", [name, equals]);
}
