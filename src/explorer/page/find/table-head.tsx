import { columnsOf } from '../ask/columns.ts';
import type { TabName } from '../ask/question.ts';
import { site } from '../ask/site.ts';
import { Description } from '../parts/description.tsx';
import type { TabProps } from '../parts/tab-props.ts';
import { Name } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';
import { Chips } from './chips.tsx';
import { TabStrip } from './tab-strip.tsx';
import { Toolbar } from './toolbar.tsx';

export interface TableHeadProps extends TabProps {
  readonly tabs: readonly TabName[];
  readonly hasFilters: boolean;
}

/** The top of the page of a table: its title, the number of records, its description, and what is searched. */
export function TableHead({ table, view, search, tabs, hasFilters, onShow, onChange }: TableHeadProps) {
  const { pages, says, onReload } = search;
  const { first } = pages;
  const hasId = columnsOf(first?.result.fields)[0]?.name === '_id' && !table.key.includes('_id');
  return (
    <div class="table-head">
      <div class="title">
        <a href={site.root} data-inside="" class="back">
          {say.tables}
        </a>
        <h1 dir="auto">
          <Name of={table.title} />
        </h1>
        <div class="count">
          <p role="status">{says}</p>
          {first !== null && (
            <button
              type="button"
              class="quiet reload"
              aria-label={say.reload}
              title={`${say.age(shownCount(first.age))}. ${say.reload}`}
              onClick={onReload}
            >
              ↻
            </button>
          )}
        </div>
      </div>
      <Description markdown={table.description} />
      <TabStrip resource={table.id} {...{ view, tabs, onShow }} />
      <Toolbar {...{ table, view, says, hasId, onChange, onShow }} />
      {hasFilters && <Chips resource={table.id} columns={table.columns} question={view.question} onChange={onChange} />}
    </div>
  );
}
