import type { Blame } from '../../model/catalog.ts';
import type { WriteRecord } from '../../model/plan.ts';
import { type Column, isJudgedByServer } from '../../model/table.ts';

/** The columns that the values of one record's statement belong to, in the order of its bindings. */
export function boundColumns({ columns, key }: WriteRecord, exists: boolean): readonly Column[] {
  if (!exists || key === null) return columns;
  return [...key.columns, ...columns.filter((column) => !key.columns.some((part) => part.name === column.name))];
}

/** Names the column of a refused value where the server told its binding only, or where it can be no other. */
export function withColumn(blame: Blame, columns: readonly Column[]): Blame {
  if (blame.kind !== 'value' || blame.column !== null) return blame;
  const bound = blame.binding === undefined ? undefined : columns[(blame.binding - 1) % columns.length];
  const [judged, ...others] = columns.filter(({ type }) => isJudgedByServer(type));
  const column = bound ?? (others.length === 0 ? judged : undefined);
  return { ...blame, column: column?.name ?? null };
}
