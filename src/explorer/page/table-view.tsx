/** One table's page: its title, the tabs, the search, and the open tab. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { replaceConditions } from './ask/conditions.ts';
import { askEarly, type Early } from './ask/early.ts';
import { addressOf, isDistinct, type Question, type View, viewOf } from './ask/question.ts';
import { site, tableUrl } from './ask/site.ts';
import { readTable, type Table } from './ask/table.ts';
import { TableHead } from './find/table-head.tsx';
import { Toolbar } from './find/toolbar.tsx';
import { useLoaded } from './parts/hooks.ts';
import { useLive } from './parts/live.ts';
import { useSearch } from './parts/search.ts';
import type { TabProps } from './parts/tab-props.ts';
import { Trouble } from './parts/trouble.tsx';
import { isUnsaved, mayLeave } from './parts/unsaved.ts';
import { Name } from './parts/value.tsx';
import { EditBar } from './tabs/edit-bar.ts';
import { tabOf, tabs } from './tabs/tabs.tsx';
import { say } from './texts/index.ts';

export function TableView({ id }: { readonly id: string }) {
  const [tries, setTries] = useState(0);
  const { data, error } = useLoaded(`${tries}`, async (signal) => {
    const early = askEarly(id, location.search, signal);
    return { tries, early, table: await readTable(id, signal) };
  });
  useEffect(() => {
    document.title = `${data?.table.title ?? id} · ${site.title}`;
  }, [data]);
  if (error !== null)
    return (
      <main id="main">
        <div class="table-head">
          <h1 dir="auto">
            <Name of={id} />
          </h1>
        </div>
        <Trouble error={error} resource={id} isRepeated onRetry={() => setTries(tries + 1)}>
          <a href={site.root} data-inside="">
            {say.allTables}
          </a>
        </Trouble>
      </main>
    );
  if (data === null)
    return (
      <main id="main" class="opening" aria-busy="true">
        <p class="late">{say.waiting}</p>
      </main>
    );
  // If the columns have changed, remount the table; the address keeps the search.
  return <OpenTable key={data.tries} {...data} onOutdated={() => setTries(tries + 1)} />;
}

interface OpenTableProps {
  readonly table: Table;
  readonly early: Early;
  onOutdated(): void;
}

function OpenTable({ table: whole, early, onOutdated }: OpenTableProps) {
  const { view, show } = useView(whole);
  const { question } = view;
  // With `distinct`, one row may stand for several records, so it cannot be opened, edited or counted.
  const table = isDistinct(question)
    ? { ...whole, key: [], canWrite: false, takesWrites: false, canSummarize: false }
    : whole;
  const change = (part: Partial<Question>) => show({ question: { ...question, ...part } });
  const search = useSearch(table, question, early);
  const live = useLive(table, search);
  const { isOutdated } = search.pages;
  useEffect(() => {
    if (!isOutdated) return;
    // Wait a moment, because two gateways behind one address may briefly disagree about the columns. Don't reload while a form is being filled in.
    const timer = setInterval(() => isUnsaved() || onOutdated(), 2000);
    return () => clearInterval(timer);
  }, [isOutdated]);
  const add = (conditions: Question['conditions']) =>
    change({ conditions: replaceConditions(question.conditions, conditions) });
  const tab = tabOf(view.tab);
  const props = { table, view, search, live, onShow: show, onChange: change, onAdd: add };
  return (
    <main id="main" class="table">
      <TableHead {...props} tabs={tabs.filter((one) => one === tab || one.isShown(table)).map(({ name }) => name)} />
      {tab.name === 'data' && view.isEditing && table.canWrite && <EditBar {...props} />}
      {tab.hasFilters && <Toolbar {...{ table, question, hasColumns: tab.name === 'data', onChange: change }} />}
      <AddressTroubles view={view} />
      {tab.render(props)}
    </main>
  );
}

/** The view of a table. The address keeps it, for links and for the Back button. */
function useView({ id, columns, binary }: Table): { readonly view: View; show: TabProps['onShow'] } {
  const names = ['_id', ...[...columns, ...binary].map(({ name }) => name)];
  const [view, setView] = useState<View>(() => viewOf(location.search, names));
  /** The address of what the page shows: on `popstate` the browser's is already another one. */
  const shown = useRef(here());
  useEffect(() => {
    const follow = (event: PopStateEvent) => {
      // A link of the page has asked before it sent this event, which is not trusted then. The fragment may bring a token, and keeps the form.
      if (event.isTrusted && here() !== shown.current && !mayLeave()) {
        event.stopImmediatePropagation();
        history.pushState(null, '', shown.current);
        return;
      }
      shown.current = here();
      setView(viewOf(location.search, names));
    };
    // Captured, so that the question comes before the app's own listener unmounts the table.
    addEventListener('popstate', follow, true);
    return () => removeEventListener('popstate', follow, true);
  }, []);
  const show: TabProps['onShow'] = (part, how = 'push') => {
    // Another tab or panel would replace a form with unsaved changes.
    if (
      (part.tab !== undefined || part.panel !== undefined || part.row !== undefined || part.isEditing !== undefined) &&
      !mayLeave()
    )
      return;
    const next = { ...view, ...part, isCut: false, unused: [] };
    setView(next);
    history[how === 'push' ? 'pushState' : 'replaceState'](null, '', tableUrl(id) + addressOf(next));
    shown.current = here();
  };
  return { view, show };
}

/** The address of the view, without the origin and the fragment. */
const here = (): string => location.pathname + location.search;

/** Says which parts of the address the page could not use. */
function AddressTroubles({ view: { isCut, unused } }: { readonly view: View }) {
  return (
    <>
      {isCut && (
        <p class="trouble" role="alert">
          {say.cutAddress}
        </p>
      )}
      {unused.length > 0 && (
        <p class="trouble" role="alert">
          {say.unusedParameters(unused.join(', '))}
        </p>
      )}
    </>
  );
}
