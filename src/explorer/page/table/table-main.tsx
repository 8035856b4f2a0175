/** The grid, with the bar for its cells and the menus of its columns. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Refused } from '../ask/call.ts';
import { addMarks, type Marked, maxMarked, noMarks, rowsBetween } from '../ask/marks.ts';
import type { Pages } from '../ask/pages.ts';
import { order, type Sort } from '../ask/question.ts';
import { rowFilters } from '../ask/row-filters.ts';
import { useMedia } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import type { TabProps } from '../parts/tab-props.ts';
import { Trouble } from '../parts/trouble.tsx';
import { wordsOf } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { blockOf } from './block.ts';
import { CellBar } from './cell-bar.tsx';
import type { Cell } from './cells.ts';
import { ColumnPopover, type ColumnPopoverProps, type OpenMenu } from './column-popover.tsx';
import { Grid } from './grid.tsx';
import { ListBar } from './list-bar.tsx';
import { MarkedBar } from './marked-bar.tsx';
import { NoMatch } from './no-match.tsx';
import { PrintTable } from './print-table.tsx';
import { RecordList } from './record-list.tsx';
import { shownColumns } from './shown-columns.ts';
import { Waiting } from './waiting.tsx';
import { WayOn } from './way-on.tsx';
import type { Shown } from './widths.ts';

export interface TableMainProps extends TabProps, Pick<ColumnPopoverProps, 'renderFilter'> {
  readonly marked: Marked;
  onMarked(marked: Marked): void;
  onRetry(): void;
}

/** Narrower screens show a list instead of the grid. */
const phone = '(max-width: 640px)';
const firstCell: Cell = { row: 0, column: 0 };
/** Number of rows in which to look for the open record. */
const maxSearchedRows = 60;

export function TableMain(props: TableMainProps) {
  const { table, view, search, marked, renderFilter, onShow, onChange, onMarked, onRetry } = props;
  const { question } = view;
  const { total, shown } = search;
  const { error } = search.pages;
  // Until the first records of a new search arrive, those of the previous one stay visible.
  const { pages } = shown;
  const [selected, setSelected] = useState<Cell | null>(null);
  /** The cell where the selected block begins; null if only one cell is selected. */
  const [corner, setCorner] = useState<Cell | null>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  /** Whether a phone shows the grid instead of the list. */
  const [isGrid, setGrid] = useState(false);
  /** The search that the user has stopped. */
  const [stopped, setStopped] = useState<Pages | null>(null);
  const lastMarked = useRef(0);
  const words = useMemo(() => wordsOf(question.q), [question.q]);
  const widths = useRef(new Map<string, number>());
  const columns = useMemo(
    () => shownColumns(table, pages, question, widths.current),
    [pages.first, pages.extents, question.fields, question.sort[0]?.field],
  );
  const frozen = columns[0]?.column.name === table.label ? 1 : 0;
  const rowOf = (at: number) => rowFilters(table, pages, at);
  const open = view.panel === 'record' ? rowWith(JSON.stringify(view.row), selected?.row ?? 0, rowOf) : -1;
  const openRecord = (row: number) => onShow({ panel: 'record', row: rowOf(row) });
  const select = (cell: Cell, isFurther: boolean) => {
    setCorner(isFurther ? (corner ?? selected) : null);
    setSelected(cell);
    if (view.panel === 'record' && cell.row !== selected?.row) openRecord(cell.row);
  };
  const canMark = table.canWrite && table.key.length > 0;
  const mark = (row: number, isFurther: boolean) => {
    const most = maxMarked(table.key);
    const rows = rowsBetween(isFurther && marked.size > 0 ? lastMarked.current : row, row, most);
    const records = rows.map(rowOf).filter((one) => one !== null);
    lastMarked.current = row;
    setSelected({ row, column: selected?.column ?? 0 });
    onMarked(addMarks(marked, records, most));
  };
  const isMarked = (row: number) => marked.size > 0 && marked.has(JSON.stringify(rowOf(row)));
  const isPhone = useMedia(phone);
  const isList = isPhone && !isGrid;
  const isOld = pages !== search.pages;
  const isEmpty = pages.first !== null && pages.length === 0;
  const isWaiting = search.pages.first === null && error === null;
  return (
    <div class="records">
      {error !== null && (
        <Trouble error={error} resource={table.id} isRepeated onRetry={onRetry}>
          <WayOn {...{ error, table, question, onChange }} />
        </Trouble>
      )}
      {pages.first === null && error !== null ? null : isList ? (
        <RecordList {...{ pages, columns, words, isOld, onOpen: openRecord }} />
      ) : (
        <Grid
          {...{ pages, columns, frozen, words, open, isOld }}
          total={total?.is !== 'exact' ? null : total.count}
          sort={question.sort}
          selected={selected ?? firstCell}
          block={blockOf(selected ?? firstCell, corner ?? selected ?? firstCell)}
          onSelect={select}
          onOpen={openRecord}
          isMarked={canMark ? isMarked : null}
          onMark={mark}
          onSort={(name, isFurther) => onChange({ sort: nextSort(question.sort, name, isFurther) })}
          onMenu={(name, anchor) => setMenu({ name, anchor, shows: 'menu' })}
        />
      )}
      {isWaiting && stopped !== search.pages && (
        <Waiting
          key={search.pages.name}
          hasWords={question.q !== ''}
          onLeaveOut={() => onChange({ q: '', sort: [] })}
          onStop={() => {
            search.pages.stop();
            setStopped(search.pages);
          }}
        />
      )}
      {isWaiting && stopped === search.pages && <Stopped onRetry={search.onReload} />}
      {isEmpty && !isOld && <NoMatch {...{ table, question, onChange }} />}
      {pages.isCut && <p class="cell-bar note">{say.tooTall}</p>}
      {isList ? (
        <ListBar
          {...{ columns: table.columns, sort: question.sort }}
          onSort={(sort) => onChange({ sort })}
          onGrid={() => setGrid(true)}
        />
      ) : (
        <>
          <SelectionBar {...props} {...{ pages, error, columns, selected, canMark, onOpen: openRecord }} />
          {isPhone && (
            <div class="list-bar">
              <button type="button" onClick={() => setGrid(false)}>
                <Icon name="list" />
                {say.asList}
              </button>
            </div>
          )}
        </>
      )}
      {menu !== null && (
        <ColumnPopover {...{ menu, table, view, columns, renderFilter, onMenu: setMenu, onShow, onChange }} />
      )}
      <PrintTable {...{ table, question, pages, columns }} />
    </div>
  );
}

/** Shown after the user has stopped a search that took too long. */
function Stopped({ onRetry }: { onRetry(): void }) {
  return (
    <Notice title={say.stopped}>
      <div class="row">
        <button type="button" onClick={onRetry}>
          {say.retry}
        </button>
      </div>
    </Notice>
  );
}

interface SelectionBarProps extends TableMainProps {
  readonly pages: Pages;
  readonly error: Refused | null;
  readonly columns: readonly Shown[];
  readonly selected: Cell | null;
  readonly canMark: boolean;
  onOpen(row: number): void;
}

/** The bar for the marked records; without any, the one for the selected cell. */
function SelectionBar(props: SelectionBarProps) {
  const { table, pages, error, marked, columns, selected, canMark, onShow, onAdd, onMarked, onOpen } = props;
  const isTouched = useMedia('(hover: none)');
  if (marked.size > 0)
    return (
      <MarkedBar
        {...{ marked, most: maxMarked(table.key) }}
        onRemove={() => onShow({ panel: 'remove', row: null })}
        onClear={() => onMarked(noMarks)}
      />
    );
  if (pages.first === null ? error !== null : pages.length === 0) return null;
  const shown = selected === null ? undefined : columns[selected.column];
  return (
    <CellBar
      column={shown?.column ?? null}
      value={selected === null || shown === undefined ? undefined : pages.row(selected.row)?.[shown.at]}
      hint={isTouched ? say.tapCell : canMark ? `${say.chooseCell} ${say.chooseMarks}` : say.chooseCell}
      onFilter={(condition) => onAdd([condition])}
      onOpen={() => selected !== null && onOpen(selected.row)}
    />
  );
}

/** The row of the open record: the selected one, or one of the first rows, as after opening a shared link. -1 if it is not there. */
function rowWith(record: string, selected: number, rowOf: (at: number) => unknown): number {
  const candidates = [selected, ...Array.from({ length: maxSearchedRows }, (_, at) => at)];
  return candidates.find((at) => JSON.stringify(rowOf(at)) === record) ?? -1;
}

/** The next order after a click: descending, ascending, none. NULL is always last. `isFurther` keeps the other columns in front. */
function nextSort(sort: readonly Sort[], field: string, isFurther: boolean): readonly Sort[] {
  const now = sort.find((one) => one.field === field);
  const others = isFurther ? sort.filter((one) => one.field !== field) : [];
  if (now === undefined) return [...others, order(field, true)];
  return now.isDescending ? [...others, order(field, false)] : others;
}
