/** Finds a record that has a number other than 0 and 1 in a column shown as true and false, so that the refusal can name it. */

import { shownOf } from '../model/any-plan.ts';
import type { ReadDialect } from '../model/dialect/read.ts';
import { OutsideFlag } from '../model/errors.ts';
import { type Aggregate, byColumns, isRank, type Read, type Shown, type Where } from '../model/plan.ts';
import { type Ask, columnsShown, type TableSource, tablesOf } from '../model/question.ts';
import { type Guarded, guard } from '../model/row-filter.ts';
import { type Column, type Flag, isFlag, type Table } from '../model/table.ts';
import type { Cell } from '../model/value.ts';

/** The plan for a read that finds the first such record of `plan`. It returns the record's flags, and its key if that is visible. */
export function outsideRead(plan: Guarded<Read | Aggregate | Ask>): Guarded<Read> {
  const shown = ownShown(plan);
  const read = readOf(plan);
  const flags = shown.filter(isShownFlag);
  const outside = flags.flatMap((flag): readonly Where[] => {
    const column = { ...flag, type: flag.type.stored };
    return [
      { op: 'lt', column, value: '0' },
      { op: 'gt', column, value: '1' },
    ];
  });
  return {
    ...read,
    ...{ columns: [...(visibleKey(plan.table) ?? []), ...flags], format: 'lists', distinct: false },
    ...{ where: { op: 'all', of: [read.where, { op: 'any', of: outside }] } },
    ...{ withCursor: false, limit: 1, offset: 0, total: false },
  };
}

/** The shown columns that belong to the plan's own table. The read knows no other table, and another table's columns may have the same names. */
function ownShown(plan: Guarded<Read | Aggregate | Ask>): readonly Shown[] {
  if (plan.effect !== 'ask') return shownOf(plan);
  const own = ownSource(plan);
  return own === undefined ? [] : columnsShown(plan.question, own);
}

const ownSource = ({ question, table }: Ask): TableSource | undefined =>
  tablesOf(question).find((source) => source.table === table);

function readOf(plan: Guarded<Read | Aggregate | Ask>): Guarded<Read> {
  switch (plan.effect) {
    case 'read':
      return byColumns(plan);
    case 'aggregate':
      return plan.records;
    case 'ask': {
      const { where, searches } = ownSource(plan) ?? { where: { op: 'all', of: [] } as const, searches: [] };
      const page = { columns: [], format: 'lists', distinct: false, sort: [], after: null, withCursor: false } as const;
      const limits = { limit: 1, offset: 0, total: false };
      return guard({ effect: 'read', table: plan.table, where, searches, ...page, ...limits }, plan.rows);
    }
  }
}

/** The refusal for the first such number in these rows, with its column and the key of its record; null if there is none. */
export function outsideFlag(
  table: Table,
  columns: readonly Shown[],
  rows: readonly (readonly Cell[])[],
  { encoder }: ReadDialect,
): OutsideFlag | null {
  for (const row of rows)
    for (const [at, column] of columns.entries()) {
      if (!isShownFlag(column)) continue;
      const number = encoder(column).plain(row[at] ?? null);
      if (number === null || number === 'true' || number === 'false') continue;
      const key = visibleKey(table)?.map((one) => {
        const { json, plain } = encoder(one);
        const cell = row[columns.findIndex((other) => !isRank(other) && other.name === one.name)] ?? null;
        return `${JSON.stringify(one.label)}: ${isFlag(one) ? plain(cell) : json(cell)}`;
      });
      return new OutsideFlag(number, column.label, key === undefined ? null : `{${key.join(', ')}}`);
    }
  return null;
}

const isShownFlag = (one: Shown): one is Flag => !isRank(one) && isFlag(one);

/** The key columns; null if the table has no key, or hides part of it. */
function visibleKey({ key, columns }: Table): readonly Column[] | null {
  const shown = key.flatMap(({ name }) => columns.findLast((column) => column.name === name) ?? []);
  return shown.length === 0 || shown.length < key.length ? null : shown;
}
