/** The grid, with the bar for its cells and its columns' menus. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { addMarks, type Marked, maxMarked, rowsBetween } from '../ask/marks.ts';
import { rowFilters } from '../ask/row-filters.ts';
import { phone, useMedia } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { useLabels } from '../parts/labels.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { Trouble } from '../parts/trouble.tsx';
import { wordsOf } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { frozenCount, useArrangement, withWidth } from './arrangement.ts';
import { blockOf } from './block.ts';
import type { Cell } from './cells.ts';
import { ColumnPopover, type ColumnPopoverProps, type OpenMenu } from './column-popover.tsx';
import { Grid } from './grid.tsx';
import { ListBar } from './list-bar.tsx';
import { nextSort } from './next-sort.ts';
import { NoMatch } from './no-match.tsx';
import { PrintTable } from './print-table.tsx';
import { RecordList } from './record-list.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { shownColumns } from './shown-columns.ts';
import { Waiting } from './waiting.tsx';
import { WayOn } from './way-on.tsx';

export interface TableMainProps extends TabProps, Pick<ColumnPopoverProps, 'renderFilter'> {
  readonly marked: Marked;
  /** Whether the records can be edited: they then have checkboxes, and open with their form. */
  readonly isEditing: boolean;
  onMarked(marked: Marked): void;
  onRetry(): void;
}

const firstCell: Cell = { row: 0, column: 0 };
/** Number of rows in which to look for the open record. */
const maxSearchedRows = 60;

export function TableMain(props: TableMainProps) {
  const { table, view, search, live, marked, isEditing, renderFilter, onShow, onChange, onMarked, onRetry } = props;
  const { question } = view;
  const { total, shown } = search;
  const { error } = search.pages;
  // Until a new search's first records arrive, the previous ones stay visible.
  const { pages } = shown;
  const [selected, setSelected] = useState<Cell | null>(null);
  /** The cell where the selected block begins; null if only one cell is selected. */
  const [corner, setCorner] = useState<Cell | null>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  /** Whether a phone shows the grid instead of the list. */
  const [isGrid, setGrid] = useState(false);
  const lastMarked = useRef(0);
  const words = useMemo(() => wordsOf(question.q), [question.q]);
  const widths = useRef(new Map<string, number>());
  const [arrangement, arrange] = useArrangement(table.id);
  const [labels, labelLoads] = useLabels(table.references);
  const columns = useMemo(
    () => shownColumns(table, pages, question, labels, widths.current, arrangement.widths),
    [pages.first, pages.extents, question.fields, question.sort[0]?.field, labelLoads, arrangement.widths],
  );
  const frozen = frozenCount(arrangement, columns, table.label, innerWidth);
  const readLabels = (from: number, to: number) => labels.read((field) => pages.valuesNear(field, from, to));
  const rowOf = (at: number) => rowFilters(table, pages, at);
  const open =
    view.panel === 'record' || view.panel === 'edit'
      ? rowWith(JSON.stringify(view.row), selected?.row ?? 0, rowOf)
      : -1;
  const openRecord = (row: number) => onShow({ panel: isEditing ? 'edit' : 'record', row: rowOf(row) });
  const select = (cell: Cell, isFurther: boolean) => {
    setCorner(isFurther ? (corner ?? selected) : null);
    setSelected(cell);
    if (view.panel === 'record' && cell.row !== selected?.row) openRecord(cell.row);
  };
  const canMark = isEditing && table.key.length > 0;
  const mark = (row: number, isFurther: boolean) => {
    const most = maxMarked(table.key);
    const rows = rowsBetween(isFurther && marked.size > 0 ? lastMarked.current : row, row, most);
    const records = rows.map(rowOf).filter((one) => one !== null);
    lastMarked.current = row;
    setSelected({ row, column: selected?.column ?? 0 });
    onMarked(addMarks(marked, records, most));
  };
  const isMarked = (row: number) => marked.size > 0 && marked.has(JSON.stringify(rowOf(row)));
  const isResting = selected === null && marked.size === 0 && view.panel === 'none' && !isEditing;
  // Rows must not move while somebody reads them.
  useEffect(() => {
    const box = document.querySelector('.grid, .record-list');
    if (live.is === 'changed' && isResting && box?.scrollTop === 0) live.onShow();
  }, [live.is]);
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
        <RecordList {...{ pages, columns, words, isOld, onOpen: openRecord, onScreen: readLabels }} />
      ) : (
        <Grid
          {...{ pages, columns, frozen, words, open, isOld }}
          total={total?.is !== 'exact' ? null : total.count}
          sort={question.sort}
          selected={selected ?? firstCell}
          block={blockOf(selected ?? firstCell, corner ?? selected ?? firstCell)}
          onSelect={select}
          onScreen={readLabels}
          onOpen={openRecord}
          isMarked={canMark ? isMarked : null}
          onMark={mark}
          onSort={(name, isFurther) => onChange({ sort: nextSort(question.sort, name, isFurther) })}
          onMenu={(name, anchor) => setMenu({ name, anchor, shows: 'menu' })}
          onResize={(name, width) => arrange(withWidth(arrangement, name, width))}
        />
      )}
      {isWaiting && (
        <Waiting {...{ search, hasWords: question.q !== '' }} onLeaveOut={() => onChange({ q: '', sort: [] })} />
      )}
      {isEmpty && !isOld && <NoMatch {...{ table, question, onChange }} />}
      {pages.isCut && <p class="cell-bar note">{say.tooTall}</p>}
      {isList ? (
        <ListBar
          {...{ columns: table.columns, sort: question.sort, hasWords: question.q !== '' }}
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
        <ColumnPopover
          {...{ menu, table, view, columns, frozen, renderFilter, onMenu: setMenu, onShow, onChange }}
          onFreeze={(name) => arrange({ ...arrangement, frozen: name })}
        />
      )}
      <PrintTable {...{ table, question, pages, columns }} />
    </div>
  );
}

/** The open record's row: the selected one, or one of the first rows, for example after opening a shared link. -1 if it is not there. */
function rowWith(record: string, selected: number, rowOf: (at: number) => unknown): number {
  const candidates = [selected, ...Array.from({ length: maxSearchedRows }, (_, at) => at)];
  return candidates.find((at) => JSON.stringify(rowOf(at)) === record) ?? -1;
}
