import { useEffect, useRef } from 'preact/hooks';
import { rowFilters } from '../ask/row-filters.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { say, shownCount } from '../texts/index.ts';

/** How many rows are searched for a record that was opened by its address. */
const maxSearchedRows = 1000;

/** The open record's place among the matching ones, with buttons to the previous and the next record. */
export function Neighbours({ table, view, search, onShow }: Pick<TabProps, 'table' | 'view' | 'search' | 'onShow'>) {
  const { pages } = search.shown;
  const last = useRef(0);
  const open = JSON.stringify(view.row);
  const isOpen = (at: number) => JSON.stringify(rowFilters(table, pages, at)) === open;
  const near = [last.current, last.current + 1, last.current - 1];
  const at = near.find(isOpen) ?? Array.from({ length: maxSearchedRows }, (_, row) => row).find(isOpen) ?? -1;
  if (at >= 0) last.current = at;
  const hasNext = at >= 0 && at + 1 < pages.length;
  useEffect(() => {
    if (hasNext) pages.load(at, at + 1);
  }, [pages, at]);
  const to = (row: number) => {
    const filters = rowFilters(table, pages, row);
    if (filters !== null) onShow({ row: filters });
  };
  const total = search.total?.is === 'exact' ? search.total.count : null;
  return (
    <>
      <span class="faint">
        {at >= 0 && (total === null ? shownCount(at + 1) : say.recordOf(shownCount(at + 1), shownCount(total)))}
      </span>
      <span class="spring" />
      <button type="button" class="quiet" aria-label={say.previousRecord} disabled={at <= 0} onClick={() => to(at - 1)}>
        ‹
      </button>
      <button type="button" class="quiet" aria-label={say.nextRecord} disabled={!hasNext} onClick={() => to(at + 1)}>
        ›
      </button>
    </>
  );
}
