/** The page of one table: search, filters and columns at the top, the grid below, and a side panel. */
import { useEffect, useState } from 'preact/hooks';
import { call } from './ask/call.ts';
import { type Column, columnsOf } from './ask/columns.ts';
import { replaceConditions } from './ask/conditions.ts';
import { object, text, texts } from './ask/json.ts';
import { addressOf, isDistinct, type Question, type View, viewOf } from './ask/question.ts';
import { site, tableUrl } from './ask/site.ts';
import { TableHead } from './find/table-head.tsx';
import { useLoaded } from './parts/hooks.ts';
import { Panel } from './parts/panel.tsx';
import { Trouble } from './parts/trouble.tsx';
import { isUnsaved, mayLeave } from './parts/unsaved.ts';
import { noMarks } from './table/marks.ts';
import { useSearch } from './table/search.ts';
import { TableMain } from './table/table-main.tsx';
import { say } from './texts/index.ts';

/** Properties of a table that do not depend on the search. */
export interface Table {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The names of the key columns; empty if the table has no key. */
  readonly key: readonly string[];
  readonly searched: readonly string[];
  readonly canSummarize: boolean;
  readonly canWrite: boolean;
  /** The columns without the binary ones. `_id` is listed only if it is the key column itself; otherwise it repeats another column. */
  readonly columns: readonly Column[];
  readonly binary: readonly Column[];
}

export interface Total {
  readonly count: number;
  readonly is: 'exact' | 'estimated' | 'at least';
}

async function loadTable(id: string, signal: AbortSignal): Promise<Table> {
  const request = { resource_id: id, include_meta: false, include_fields_schema: false };
  const { result } = await call('datastore_info', request, { signal });
  const all = columnsOf(result.fields);
  const key = texts(result.key);
  const { aggregate, write } = object(result.may);
  const hasOwnId = key.includes('_id');
  const idColumn = hasOwnId ? columnsOf([{ id: '_id', type: 'int' }]) : [];
  return {
    id,
    title: text(result.title) || id,
    description: text(result.description),
    key,
    searched: texts(result.searched),
    canSummarize: aggregate !== false,
    canWrite: write === true && site.edits,
    columns: [...idColumn, ...all.filter(({ type }) => type !== 'bytea')],
    binary: all.filter(({ type }) => type === 'bytea'),
  };
}

export function TableView({ id }: { readonly id: string }) {
  const [tries, setTries] = useState(0);
  const { data, error } = useLoaded(`${tries}`, async (signal) => ({ tries, table: await loadTable(id, signal) }));
  useEffect(() => {
    document.title = `${data?.table.title ?? id} · ${site.title}`;
  }, [data]);
  if (error !== null)
    return (
      <main id="main" class="list">
        <Trouble error={error} resource={id} isRepeated onRetry={() => setTries(tries + 1)}>
          <a href={site.root} data-inside="">
            {say.allTables}
          </a>
        </Trouble>
      </main>
    );
  if (data === null) return <main id="main" class="opening" aria-busy="true" />;
  // When the columns have changed, the table is mounted again; the search is kept in the address.
  return <OpenTable key={data.tries} table={data.table} onOutdated={() => setTries(tries + 1)} />;
}

function OpenTable({ table: whole, onOutdated }: { readonly table: Table; onOutdated(): void }) {
  const { view, show } = useView(whole);
  const [marks, setMarks] = useState({ of: '', marked: noMarks });
  const { question } = view;
  // With `distinct`, one row may stand for several records. So it cannot be opened, edited or counted.
  const table = isDistinct(question) ? { ...whole, key: [], canWrite: false, canSummarize: false } : whole;
  // The address may ask for the add panel of a table that is read-only.
  const panel = view.panel === 'add' && !table.canWrite ? 'none' : view.panel;
  const change = (part: Partial<Question>) => show({ question: { ...question, ...part } });
  const { pages, shown, key, total, says, onReload, onWritten } = useSearch(table, question);
  useEffect(() => {
    if (!pages.isOutdated) return;
    // With a delay, because two gateways behind one address may disagree about the columns for a moment; and not while a form is being filled in.
    const timer = setInterval(() => isUnsaved() || onOutdated(), 2000);
    return () => clearInterval(timer);
  }, [pages.isOutdated]);
  // Marks belong to one search. Otherwise records that are no longer visible could be deleted.
  const marked = marks.of === key ? marks.marked : noMarks;
  const add = (conditions: Question['conditions']) =>
    change({ conditions: replaceConditions(question.conditions, conditions) });
  const shared = { table, view, pages: shown.pages, total, marked, onShow: show, onAdd: add };
  return (
    <main id="main" class="table">
      <TableHead {...{ table, view, pages, says, onReload, onShow: show, onChange: change }} />
      <AddressTroubles view={view} />
      <div class={`body${panel === 'none' ? '' : ` with-panel with-${panel}`}`}>
        <TableMain
          {...shared}
          isOld={shown.pages !== pages}
          error={pages.error}
          onChange={change}
          onMarked={(to) => {
            // The previous records may not match the new search, so they cannot be marked.
            if (shown.key === key) setMarks({ of: key, marked: to });
          }}
          onRetry={() => pages.retry()}
        />
        {panel !== 'none' && <Panel of={panel} {...shared} onWritten={onWritten} />}
      </div>
    </main>
  );
}

/** What is shown of a table. It is kept in the address, for links and for the Back button. */
function useView({ id, columns, binary }: Table): { readonly view: View; show(part: Partial<View>): void } {
  const names = ['_id', ...[...columns, ...binary].map(({ name }) => name)];
  const [view, setView] = useState<View>(() => viewOf(location.search, names));
  useEffect(() => {
    const follow = () => setView(viewOf(location.search, names));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const show = (part: Partial<View>) => {
    // Another panel would replace a form with unsaved changes.
    if ((part.panel !== undefined || part.row !== undefined) && !mayLeave()) return;
    const next = { ...view, ...part, isCut: false, unused: [] };
    setView(next);
    history.pushState(null, '', tableUrl(id) + addressOf(next));
  };
  return { view, show };
}

/** Says which parts of the address could not be used. */
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
