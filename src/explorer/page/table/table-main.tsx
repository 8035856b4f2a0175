/** The grid, with the bars and menus for its cells and columns. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Refused } from '../ask/call.ts';
import { columnsOf } from '../ask/columns.ts';
import type { Condition } from '../ask/conditions.ts';
import type { Pages } from '../ask/pages.ts';
import type { Question, Sort, View } from '../ask/question.ts';
import { FilterForm } from '../find/forms.ts';
import { Anchored } from '../parts/popover.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { wordsOf } from '../parts/value.tsx';
import { rowFilters } from '../record/row-filters.ts';
import type { Table, Total } from '../table-view.tsx';
import { say } from '../texts/index.ts';
import { CellBar } from './cell-bar.tsx';
import type { Cell } from './cells.ts';
import { ColumnMenu } from './column-menu.tsx';
import { Grid } from './grid.tsx';
import { MarkedBar } from './marked-bar.tsx';
import { addMarks, type Marked, maxMarked, noMarks } from './marks.ts';
import { WayOn } from './way-on.tsx';
import { widthsOf } from './widths.ts';

export interface TableMainProps {
  readonly table: Table;
  readonly view: View;
  readonly pages: Pages;
  readonly total: Total | null;
  /** Whether the records belong to the previous search. */
  readonly isOld: boolean;
  readonly error: Refused | null;
  readonly marked: Marked;
  onShow(part: Partial<View>): void;
  onChange(part: Partial<Question>): void;
  onAdd(conditions: readonly Condition[]): void;
  onMarked(marked: Marked): void;
  onRetry(): void;
}

/** Number of rows in which to look for the open record. */
const maxSearchedRows = 60;

interface Menu {
  readonly name: string;
  readonly anchor: HTMLElement;
  readonly shows: 'menu' | 'filter';
}

export function TableMain(props: TableMainProps) {
  const { table, view, pages, total, isOld, error, marked, onShow, onChange, onAdd, onMarked, onRetry } = props;
  const { question } = view;
  const [selected, setSelected] = useState<Cell | null>(null);
  const [menu, setMenu] = useState<Menu | null>(null);
  const lastMarked = useRef(0);
  const words = useMemo(() => wordsOf(question.q), [question.q]);
  const columns = useMemo(() => {
    if (pages.first === null) return [];
    const answered = columnsOf(pages.first.result.fields).map(({ name }) => name);
    const chosen = table.columns.filter(({ name }) => question.fields?.includes(name) ?? true);
    const shown = chosen.flatMap((column) =>
      answered.includes(column.name) ? [[column, answered.indexOf(column.name)] as const] : [],
    );
    return widthsOf(shown, pages.extents);
  }, [pages.first, pages.extents, question.fields]);
  const rowOf = (at: number) => rowFilters(table, pages, at);
  const open = view.panel === 'record' ? rowWith(JSON.stringify(view.row), selected?.row ?? 0, rowOf) : -1;
  const openRecord = (row: number) => onShow({ panel: 'record', row: rowOf(row) });
  const select = (cell: Cell) => {
    setSelected(cell);
    if (view.panel === 'record' && cell.row !== selected?.row) openRecord(cell.row);
  };
  const canMark = table.canWrite && table.key.length > 0;
  const maxMarks = maxMarked(table.key);
  const mark = (row: number, isFurther: boolean) => {
    const from = isFurther && marked.size > 0 ? lastMarked.current : row;
    const length = Math.min(Math.abs(row - from) + 1, maxMarks);
    const step = Math.sign(row - from);
    const records = Array.from({ length }, (_, nth) => rowOf(from + nth * step)).filter((one) => one !== null);
    lastMarked.current = row;
    setSelected({ row, column: selected?.column ?? 0 });
    onMarked(addMarks(marked, records, maxMarks));
  };
  const isMarked = (row: number) => marked.size > 0 && marked.has(JSON.stringify(rowOf(row)));
  const sortBy = (name: string, isFurther: boolean) => onChange({ sort: nextSort(question.sort, name, isFurther) });
  const cell = selected === null ? undefined : columns[selected.column];
  const value = selected === null || cell === undefined ? undefined : pages.row(selected.row)?.[cell.at];
  const of = menu === null ? undefined : table.columns.find(({ name }) => name === menu.name);
  const isEmpty = pages.first !== null && pages.length === 0;
  const hasChoice = !isEmpty && (pages.first !== null || error === null);
  const isWhole = question.q === '' && question.conditions.length === 0 && question.passed.full_text === undefined;
  return (
    <div class="records">
      {error !== null && (
        <Trouble error={error} resource={table.id} isRepeated onRetry={onRetry}>
          <WayOn {...{ error, table, question, onChange }} />
        </Trouble>
      )}
      <Grid
        {...{ pages, columns, words, isOld, open }}
        total={total?.is !== 'exact' ? null : total.count}
        sort={question.sort}
        selected={selected ?? { row: 0, column: 0 }}
        onSelect={select}
        onOpen={openRecord}
        isMarked={canMark ? isMarked : null}
        onMark={mark}
        onSort={sortBy}
        onMenu={(name, anchor) => setMenu({ name, anchor, shows: 'menu' })}
      />
      {isEmpty && <p class="nothing">{isWhole ? say.noRecordsAtAll : say.noRecords}</p>}
      {pages.isCut && <p class="cell-bar note">{say.tooTall}</p>}
      {marked.size > 0 && (
        <MarkedBar
          {...{ marked, most: maxMarks }}
          onRemove={() => onShow({ panel: 'remove', row: null })}
          onClear={() => onMarked(noMarks)}
        />
      )}
      {hasChoice && marked.size === 0 && (
        <CellBar
          column={cell?.column ?? null}
          value={value}
          hint={canMark ? `${say.chooseCell} ${say.chooseMarks}` : say.chooseCell}
          onFilter={(condition) => onAdd([condition])}
          onOpen={() => selected !== null && openRecord(selected.row)}
        />
      )}
      {menu !== null && of !== undefined && menu.shows === 'menu' && (
        <ColumnMenu
          key={menu.name}
          column={of}
          anchor={menu.anchor}
          canHide={columns.length > 1}
          canSummarize={table.canSummarize}
          onClose={() => setMenu((now) => (now?.shows === 'menu' ? null : now))}
          onSort={(isDescending) => onChange({ sort: [{ field: of.name, isDescending }] })}
          onFilter={() => setMenu({ ...menu, shows: 'filter' })}
          onSummarize={() => onShow({ panel: 'summary', by: [...new Set([...view.by, of.name])] })}
          onHide={() =>
            onChange({ fields: columns.map(({ column }) => column.name).filter((name) => name !== of.name) })
          }
        />
      )}
      {menu !== null && of !== undefined && menu.shows === 'filter' && (
        <Anchored anchor={menu.anchor} label={say.addFilter} onClose={() => setMenu(null)}>
          <FilterForm
            {...{ resource: table.id, columns: table.columns, field: of.name, condition: null }}
            onDone={(more) => {
              setMenu(null);
              onChange({ conditions: [...question.conditions, ...more] });
            }}
          />
        </Anchored>
      )}
    </div>
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
