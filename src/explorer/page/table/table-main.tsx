/** The grid, with the bar for its cells and its columns' menus. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Marked } from '../ask/marks.ts';
import { rowFilters } from '../ask/row-filters.ts';
import { phone, useMedia } from '../parts/hooks.ts';
import type { Live } from '../parts/live.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { Trouble } from '../parts/trouble.tsx';
import { wordsOf } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import type { Cell } from './cells.ts';
import { ColumnPopover, type ColumnPopoverProps, type OpenMenu } from './column-popover.tsx';
import { Grid } from './grid.tsx';
import { ListBar, ListButton } from './list-bar.tsx';
import { nextSort } from './next-sort.ts';
import { NoMatch } from './no-match.tsx';
import { PrintTable } from './print-table.tsx';
import { RecordList } from './record-list.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useColumns } from './use-columns.ts';
import { useMarks } from './use-marks.ts';
import { useSelection } from './use-selection.ts';
import { Waiting } from './waiting.tsx';
import { WayOn } from './way-on.tsx';

export interface TableMainProps extends TabProps, Pick<ColumnPopoverProps, 'renderFilter'> {
  readonly marked: Marked;
  /** Whether the records can be edited: they then have checkboxes, and open with their form. */
  readonly isEditing: boolean;
  onMarked(marked: Marked): void;
  onRetry(): void;
}

/** Number of rows in which to look for the open record. */
const maxSearchedRows = 60;

export function TableMain(props: TableMainProps) {
  const { table, view, search, marked, isEditing, renderFilter, onShow, onChange, onMarked, onRetry } = props;
  const { question, panel } = view;
  const { error } = search.pages;
  // Until a new search's first records arrive, the previous ones stay visible.
  const { pages } = search.shown;
  const isOld = pages !== search.pages;
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  /** Whether a phone shows the grid instead of the list. */
  const [isGrid, setGrid] = useState(false);
  const isPhone = useMedia(phone);
  const isList = isPhone && !isGrid;
  const words = useMemo(() => wordsOf(question.q), [question.q]);
  const { columns, frozen, readLabels, resize, freeze } = useColumns(table, pages, question);
  const { selected, current, block, select, selectRow } = useSelection();
  const rowOf = (at: number) => rowFilters(table, pages, at);
  const { isMarked, mark } = useMarks(table.key, marked, rowOf, onMarked);
  const canMark = isEditing && table.key.length > 0;
  const hasPanel = panel === 'record' || panel === 'edit';
  const open = hasPanel ? rowWith(JSON.stringify(view.row), current.row, rowOf) : -1;
  const openRecord = (row: number) => onShow({ panel: isEditing ? 'edit' : 'record', row: rowOf(row) });
  const selectCell = (cell: Cell, isFurther: boolean) => {
    select(cell, isFurther);
    if (panel === 'record' && cell.row !== selected?.row) openRecord(cell.row);
  };
  const markRow = (row: number, isFurther: boolean) => {
    selectRow(row);
    mark(row, isFurther);
  };
  useAutoRefresh(props.live, selected === null && marked.size === 0 && panel === 'none' && !isEditing);
  return (
    <div class="records">
      {error !== null && (
        <Trouble error={error} resource={table.id} isRepeated onRetry={onRetry}>
          <WayOn {...{ error, table, question, onChange }} />
        </Trouble>
      )}
      {pages.first === null && error !== null ? null : isList ? (
        <RecordList {...{ pages, columns, words, isOld, onOpen: openRecord, onScreen: readLabels }} />
      ) : (
        <Grid
          {...{ pages, columns, frozen, words, block, open, isOld, sort: question.sort, selected: current }}
          total={search.total?.is !== 'exact' ? null : search.total.count}
          isMarked={canMark ? isMarked : null}
          onSelect={selectCell}
          onScreen={readLabels}
          onOpen={openRecord}
          onMark={markRow}
          onSort={(name, isFurther) => onChange({ sort: nextSort(question.sort, name, isFurther) })}
          onMenu={(name, anchor) => setMenu({ name, anchor, shows: 'menu' })}
          onResize={resize}
        />
      )}
      <Notices {...props} />
      {isList ? (
        <ListBar
          {...{ columns: table.columns, sort: question.sort, hasWords: question.q !== '' }}
          onSort={(sort) => onChange({ sort })}
          onGrid={() => setGrid(true)}
        />
      ) : (
        <>
          <SelectionBar {...props} {...{ pages, error, columns, selected, canMark, onOpen: openRecord }} />
          {isPhone && <ListButton onList={() => setGrid(false)} />}
        </>
      )}
      {menu !== null && (
        <ColumnPopover
          {...{ menu, table, view, columns, frozen, renderFilter, onMenu: setMenu, onShow, onChange }}
          onFreeze={freeze}
        />
      )}
      <PrintTable {...{ table, question, pages, columns }} />
    </div>
  );
}

/** What is to be said about the records below them: that they are on the way, that none matches, or that there are more than fit. */
function Notices({ table, view: { question }, search, onChange }: TabProps) {
  const { pages } = search.shown;
  const isWaiting = search.pages.first === null && search.pages.error === null;
  const isEmpty = pages.first !== null && pages.length === 0;
  return (
    <>
      {isWaiting && (
        <Waiting {...{ search, hasWords: question.q !== '' }} onLeaveOut={() => onChange({ q: '', sort: [] })} />
      )}
      {isEmpty && pages === search.pages && <NoMatch {...{ table, question, onChange }} />}
      {pages.isCut && <p class="cell-bar note">{say.tooTall}</p>}
    </>
  );
}

/** Shows changed records at once if the user is idle at the top of the table. Rows must not move while somebody reads them. */
function useAutoRefresh(live: Live, isIdle: boolean): void {
  useEffect(() => {
    const box = document.querySelector('.grid, .record-list');
    if (live.is === 'changed' && isIdle && box?.scrollTop === 0) live.onShow();
  }, [live.is]);
}

/** The open record's row: the selected one, or one of the first rows, for example after opening a shared link. -1 if it is not there. */
function rowWith(record: string, selected: number, rowOf: (at: number) => unknown): number {
  const candidates = [selected, ...Array.from({ length: maxSearchedRows }, (_, at) => at)];
  return candidates.find((at) => JSON.stringify(rowOf(at)) === record) ?? -1;
}
