/** Finds the tables and views below a view on which a new database user also needs rights. */
import type { Need } from '../model/advice.ts';
import type { TableName } from '../model/catalog.ts';

export interface Below {
  /** Tables and views on which the user needs SELECT. */
  readonly granted: readonly TableName[];
  /** Advice to the operator on rights that no plain GRANT gives; each text begins with a semicolon. */
  readonly notes: readonly string[];
}

/**
 * If a view reads with its caller's rights, the user needs rights on what it reads, down to views that read with their owner's.
 * @param isInvoker whether a view reads with its caller's rights
 */
export function rightsBelow(needs: readonly Need[], isInvoker: (view: TableName) => boolean): Below {
  const all = needs.map((need) => ({ need, read: readBy(need, isInvoker) }));
  const isWithheld =
    ({ withheld }: Need) =>
    (table: TableName) =>
      withheld.some(isSame(table));
  return {
    granted: all.flatMap(({ need, read }) => read.filter((table) => !isWithheld(need)(table))),
    notes: all.flatMap(({ need, read }) => [
      ...read
        .filter(isWithheld(need))
        .map(({ name }) => `; ${need.table.name} reads ${name}, of which columns are hidden: grant the others by hand`),
      ...(read.length > 0 && need.grants.some(({ privilege }) => privilege !== 'SELECT')
        ? [`; writes to ${need.table.name} change ${read.map(({ name }) => name).join(', ')}: grant them by hand`]
        : []),
    ]),
  };
}

function readBy({ table, below }: Need, isInvoker: (view: TableName) => boolean): readonly TableName[] {
  const views = [table];
  // The loop appends to `views`, and also visits what it appends.
  for (const view of views) {
    if (!isInvoker(view)) continue;
    const read = below.filter((one) => isSame(view)(one.view)).map(({ reads }) => reads);
    views.push(...read.filter((one) => !views.some(isSame(one))));
  }
  return views.slice(1);
}

export const isSame =
  (a: TableName) =>
  (b: TableName): boolean =>
    a.schema === b.schema && a.name === b.name;
