/** The grid, with the bar for its cells and the menus of its columns. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Refused } from '../ask/call.ts';
import { columnsOf } from '../ask/columns.ts';
import { addMarks, type Marked, maxMarked, noMarks, rowsBetween } from '../ask/marks.ts';
import type { Pages } from '../ask/pages.ts';
import type { Question, Sort } from '../ask/question.ts';
import { rowFilters } from '../ask/row-filters.ts';
import type { Table } from '../ask/table.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { Trouble } from '../parts/trouble.tsx';
import { wordsOf } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { CellBar } from './cell-bar.tsx';
import type { Cell } from './cells.ts';
import { ColumnPopover, type ColumnPopoverProps, type OpenMenu } from './column-popover.tsx';
import { Grid } from './grid.tsx';
import { MarkedBar } from './marked-bar.tsx';
import { WayOn } from './way-on.tsx';
import { type Shown, widthsOf } from './widths.ts';

export interface TableMainProps extends TabProps, Pick<ColumnPopoverProps, 'renderFilter'> {
  readonly marked: Marked;
  onMarked(marked: Marked): void;
  onRetry(): void;
}

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
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const lastMarked = useRef(0);
  const words = useMemo(() => wordsOf(question.q), [question.q]);
  const columns = useMemo(() => shownColumns(table, pages, question), [pages.first, pages.extents, question.fields]);
  const rowOf = (at: number) => rowFilters(table, pages, at);
  const open = view.panel === 'record' ? rowWith(JSON.stringify(view.row), selected?.row ?? 0, rowOf) : -1;
  const openRecord = (row: number) => onShow({ panel: 'record', row: rowOf(row) });
  const select = (cell: Cell) => {
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
  const isEmpty = pages.first !== null && pages.length === 0;
  const isWhole = question.q === '' && question.conditions.length === 0 && question.passed.full_text === undefined;
  return (
    <div class="records">
      {error !== null && (
        <Trouble error={error} resource={table.id} isRepeated onRetry={onRetry}>
          <WayOn {...{ error, table, question, onChange }} />
        </Trouble>
      )}
      <Grid
        {...{ pages, columns, words, open }}
        isOld={pages !== search.pages}
        total={total?.is !== 'exact' ? null : total.count}
        sort={question.sort}
        selected={selected ?? { row: 0, column: 0 }}
        onSelect={select}
        onOpen={openRecord}
        isMarked={canMark ? isMarked : null}
        onMark={mark}
        onSort={(name, isFurther) => onChange({ sort: nextSort(question.sort, name, isFurther) })}
        onMenu={(name, anchor) => setMenu({ name, anchor, shows: 'menu' })}
      />
      {isEmpty && <p class="nothing">{isWhole ? say.noRecordsAtAll : say.noRecords}</p>}
      {pages.isCut && <p class="cell-bar note">{say.tooTall}</p>}
      <SelectionBar {...props} {...{ pages, error, columns, selected, canMark, onOpen: openRecord }} />
      {menu !== null && (
        <ColumnPopover {...{ menu, table, view, columns, renderFilter, onMenu: setMenu, onShow, onChange }} />
      )}
    </div>
  );
}

/** The columns that the user chose, as far as the response has them. */
function shownColumns(table: Table, { first, extents }: Pages, { fields }: Question): readonly Shown[] {
  if (first === null) return [];
  const answered = columnsOf(first.result.fields).map(({ name }) => name);
  const chosen = table.columns.filter(({ name }) => fields?.includes(name) ?? true);
  const shown = chosen.flatMap((column) =>
    answered.includes(column.name) ? [[column, answered.indexOf(column.name)] as const] : [],
  );
  return widthsOf(shown, extents);
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
      hint={canMark ? `${say.chooseCell} ${say.chooseMarks}` : say.chooseCell}
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

/** The next order after a click: ascending, descending, none. `isFurther` keeps the other columns in front. */
function nextSort(sort: readonly Sort[], name: string, isFurther: boolean): readonly Sort[] {
  const now = sort.find(({ field }) => field === name);
  const others = isFurther ? sort.filter(({ field }) => field !== name) : [];
  if (now === undefined) return [...others, { field: name, isDescending: false }];
  return now.isDescending ? others : [...others, { field: name, isDescending: true }];
}
