import type { ErrorKind } from '../../model/catalog.ts';
import type { WriteRecord } from '../../model/plan.ts';
import { type Column, isJudgedByServer } from '../../model/table.ts';

/** The columns whose values one record's statement binds, in the order of the bindings. */
export function boundColumns({ columns, key }: WriteRecord, exists: boolean): readonly Column[] {
  if (!exists || key === null) return columns;
  return [...key.columns, ...columns.filter((column) => !key.columns.some((part) => part.name === column.name))];
}

/** Adds the column of a refused value: the one of the binding that the server has reported, or the only one whose type the server checks. */
export function withColumn(meaning: ErrorKind, columns: readonly Column[]): ErrorKind {
  if (meaning.kind !== 'value' || meaning.column !== null) return meaning;
  const bound = meaning.binding === undefined ? undefined : columns[(meaning.binding - 1) % columns.length];
  const [judged, ...others] = columns.filter(({ type }) => isJudgedByServer(type));
  const column = bound ?? (others.length === 0 ? judged : undefined);
  return { ...meaning, column: column?.name ?? null };
}
