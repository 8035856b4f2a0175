/** The tables that the search found and the sidebar's choices leave, with their number and order. */
import { Select } from '../parts/select.tsx';
import { say, shownCount } from '../texts/index.ts';
import { type FrontView, sorts } from './address.ts';
import { TableList } from './table-list.tsx';
import { chosenFrom, ordered, type Tables, waysOf } from './tables.ts';

/** With more tables than this, each gets a single line. */
const maxRich = 24;

const lists = new Intl.ListFormat(say.language);

export interface FoundProps {
  readonly found: Tables;
  /** All tables of the site; null until they are known. */
  readonly all: Tables | null;
  /** The words of the search. */
  readonly words: readonly string[];
  readonly view: FrontView;
  onView(to: FrontView): void;
}

export function Found({ found, all, words, view, onView }: FoundProps) {
  const tables = ordered(chosenFrom(found.tables, view), view.sort, say.language);
  const isEverything = all !== null && tables.length === all.tables.length;
  const ways = waysOf(tables, words).map((way) => say.front.ways[way]);
  return (
    <>
      <div class="front-bar">
        <p role="status">
          {ways.length > 0
            ? say.front.foundBy(say.front.count(shownCount(tables.length), tables.length), lists.format(ways))
            : isEverything
              ? say.front.count(shownCount(found.total), found.total)
              : say.front.countOf(shownCount(tables.length), shownCount(all?.total ?? 0), all?.total ?? 0)}
        </p>
        <Select
          isBare
          label={say.front.order}
          all={sorts}
          nameOf={(one) => say.front.orders[one]}
          value={view.sort}
          onValue={(sort) => onView({ ...view, sort })}
        />
      </div>
      {tables.length === 0 && <p class="nothing">{all?.total === 0 ? say.front.empty : say.front.nothing}</p>}
      <TableList tables={tables} words={words} isDense={tables.length > maxRich} />
      {found.total > found.tables.length && (
        <p class="note">{say.front.more(shownCount(found.total - found.tables.length))}</p>
      )}
    </>
  );
}
