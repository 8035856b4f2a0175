import { useEffect } from 'preact/hooks';
import { object, text } from '../ask/json.ts';
import type { TabName } from '../ask/question.ts';
import { site } from '../ask/site.ts';
import { useRedraw } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import type { Live } from '../parts/live.ts';
import { isNow, sinceText } from '../parts/since.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { Name } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';
import { Actions } from './actions.tsx';
import { TabStrip } from './tab-strip.tsx';

export interface TableHeadProps extends TabProps {
  readonly tabs: readonly TabName[];
}

/** The top of a table's page: breadcrumb, title, state, tabs and actions. */
export function TableHead(props: TableHeadProps) {
  const { table, view, tabs, onShow } = props;
  const group = text(table.about.group);
  return (
    <div class="table-head">
      <nav class="path" aria-label={say.path}>
        <a href={site.root} data-inside="">
          {say.allTables}
        </a>
        {group !== '' && (
          <>
            <span aria-hidden="true">/</span>
            <a href={`${site.root}?group=${encodeURIComponent(group)}`} data-inside="" dir="auto">
              <Name of={group} />
            </a>
          </>
        )}
      </nav>
      <div class="title">
        <h1 dir="auto">
          <Name of={table.title} />
        </h1>
        <Facts {...props} />
      </div>
      <div class="tab-row">
        <TabStrip resource={table.id} {...{ view, tabs, onShow }} />
        <Actions {...props} />
      </div>
    </div>
  );
}

/** How many records match, when the table last changed, and its licence. */
function Facts({ table: { about }, search: { pages, says, onReload }, live }: TabProps) {
  const { id, title } = object(about.licence);
  // The short name, such as CC BY 4.0; a licence without an SPDX id has only a title.
  const licence = text(id).replaceAll('-', ' ') || text(title);
  return (
    <div class="facts">
      <p role="status">{says}</p>
      {pages.first !== null && (
        <button
          type="button"
          class="quiet reload"
          aria-label={say.reload}
          title={`${say.age(shownCount(pages.first.age))}. ${say.reload}`}
          onClick={onReload}
        >
          <Icon name="refresh" />
        </button>
      )}
      <Changed live={live} />
      {licence !== '' && (
        <p class="licence" title={text(title)} dir="auto">
          <Name of={licence} />
        </p>
      )}
    </div>
  );
}

/** When the table last changed, and whether the records on the screen are older than that. */
function Changed({ live: { is, lastChange, onShow } }: { readonly live: Live }) {
  const redraw = useRedraw();
  useEffect(() => {
    const timer = setInterval(redraw, 30_000);
    return () => clearInterval(timer);
  }, []);
  const since = sinceText(lastChange);
  return (
    <>
      {(is !== 'same' || since !== '') && (
        <p class="changed" title={lastChange}>
          {since === '' ? say.mayHaveChanged : isNow(lastChange) ? say.changedNow : say.changed(since)}
        </p>
      )}
      {/* Screen readers announce a change, but not the age of the table, which is updated every 30 seconds. */}
      <span class="unseen-label" role="status">
        {is !== 'same' && (is === 'changed' ? say.changedNow : say.mayHaveChanged)}
      </span>
      {is !== 'same' && (
        <button type="button" class="quiet show" onClick={onShow}>
          {say.showChange}
        </button>
      )}
    </>
  );
}
