/** Columns of type json, which keep the text of a document, beside JSON values. */
import type { Server } from '../../model/catalog.ts';
import type { Column } from '../../model/table.ts';
import { id } from './column.ts';

/**
 * Equality as jsonb has it. A document that jsonb cannot hold (U+0000, half a surrogate pair) equals nothing; before PostgreSQL 16,
 * which cannot ask for that, it ends the statement.
 * @param values the mark of an array literal
 */
export function amongDocuments(column: Column, values: string, { version: [major = 0] }: Server): string {
  const equals = `${id(column)}::jsonb = ANY(${values}::jsonb[])`;
  return major < 16 ? equals : `CASE WHEN pg_input_is_valid(${id(column)}::text, 'jsonb') THEN ${equals} END`;
}
