/** What a new user needs rights to below a view. Pure. */
import type { Need } from '../model/advice.ts';
import type { TableName } from '../model/catalog.ts';

export interface Below {
  /** Tables and views that the user must read himself. */
  readonly granted: readonly TableName[];
  /** Rights that no plain GRANT gives, for the operator; each begins with a semicolon. */
  readonly notes: readonly string[];
}

/**
 * A view may read with the rights of its caller. Then the caller needs rights below it, down to a view that reads with those of its
 * owner.
 * @param isInvoker whether a view reads with the rights of whoever asks it
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
  // Those that are found are looked at, too.
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
