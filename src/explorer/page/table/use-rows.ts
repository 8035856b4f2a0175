/** The rows that the user has selected, marked or opened. */
import type { Marked } from '../ask/marks.ts';
import { rowFilters } from '../ask/row-filters.ts';
import type { TabProps } from '../parts/tab-props.ts';
import type { Cell } from './cells.ts';
import { useMarks } from './use-marks.ts';
import { useSelection } from './use-selection.ts';

export interface RowsProps extends Pick<TabProps, 'table' | 'view' | 'search' | 'onShow'> {
  readonly marked: Marked;
  /** Whether the records can be edited: they then have checkboxes, and open with their form. */
  readonly isEditing: boolean;
  onMarked(marked: Marked): void;
}

/** Number of rows in which to look for the open record. */
const maxSearchedRows = 60;

/** The selected cells, the marked rows and the open record, and functions that change them. `open`: the open record's row; -1 if it is not there */
export function useRows({ table, view, search, marked, isEditing, onShow, onMarked }: RowsProps) {
  const { panel, row } = view;
  const { selected, current, block, select, selectRow } = useSelection();
  const rowOf = (at: number) => rowFilters(table, search.shown.pages, at);
  const { isMarked, mark } = useMarks(table.key, marked, rowOf, onMarked);
  const canMark = isEditing && table.key.length > 0;
  const hasPanel = panel === 'record' || panel === 'edit';
  const open = hasPanel ? rowWith(JSON.stringify(row), current.row, rowOf) : -1;
  const openRecord = (at: number) => {
    // The key of a row that is still loading is unknown.
    if (search.shown.pages.row(at) === undefined) return;
    onShow({ panel: isEditing ? 'edit' : 'record', row: rowOf(at) });
  };
  const selectCell = (cell: Cell, isFurther: boolean) => {
    select(cell, isFurther);
    if (panel === 'record' && cell.row !== selected?.row) openRecord(cell.row);
  };
  const markRow = (at: number, isFurther: boolean) => {
    selectRow(at);
    mark(at, isFurther);
  };
  return { selected, current, block, open, canMark, isMarked, openRecord, selectCell, markRow };
}

/** The open record's row: the selected one, or one of the first rows, for example after opening a shared link. -1 if it is not there. */
function rowWith(record: string, selected: number, rowOf: (at: number) => unknown): number {
  const candidates = [selected, ...Array.from({ length: maxSearchedRows }, (_, at) => at)];
  return candidates.find((at) => JSON.stringify(rowOf(at)) === record) ?? -1;
}
