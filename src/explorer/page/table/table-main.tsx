/** The grid, with the bar for its cells and its columns' menus. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { orderAfterWords } from '../ask/question.ts';
import { phone, useMedia } from '../parts/hooks.ts';
import type { Live } from '../parts/live.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { Trouble } from '../parts/trouble.tsx';
import { wordsOf } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { ColumnPopover, type ColumnPopoverProps, type OpenMenu } from './column-popover.tsx';
import { Grid } from './grid.tsx';
import { ListBar, ListButton } from './list-bar.tsx';
import { nextSort } from './next-sort.ts';
import { NoMatch } from './no-match.tsx';
import { PrintTable } from './print-table.tsx';
import { RecordList } from './record-list.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useColumns } from './use-columns.ts';
import { type RowsProps, useRows } from './use-rows.ts';
import { Waiting } from './waiting.tsx';
import { WayOn } from './way-on.tsx';

export interface TableMainProps extends TabProps, RowsProps, Pick<ColumnPopoverProps, 'renderFilter'> {
  onRetry(): void;
}

export function TableMain(props: TableMainProps) {
  const { table, view, search, marked, isEditing, renderFilter, onShow, onChange } = props;
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
  const { selected, current, block, open, canMark, isMarked, openRecord, selectCell, markRow } = useRows(props);
  useAutoRefresh(props.live, selected === null && marked.size === 0 && panel === 'none' && !isEditing);
  return (
    <div class="records">
      <Failure {...props} />
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

function Failure({ table, view: { question }, search, onChange, onRetry }: TableMainProps) {
  const { error } = search.pages;
  if (error === null) return null;
  return (
    <Trouble error={error} resource={table.id} isRepeated onRetry={onRetry}>
      <WayOn {...{ error, table, question, onChange }} />
    </Trouble>
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
        <Waiting
          {...{ search, hasWords: question.q !== '' }}
          onLeaveOut={() => onChange({ q: '', sort: orderAfterWords(question, '', table.key) })}
        />
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
