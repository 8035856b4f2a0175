/** The page of one table: search, filters and columns at the top, the grid below, and a side panel. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { call } from './ask/call.ts';
import { type Column, columnsOf } from './ask/columns.ts';
import { replaceConditions } from './ask/conditions.ts';
import { count, type JsonObject, object, text, texts } from './ask/json.ts';
import { Pages } from './ask/pages.ts';
import { addressOf, isDistinct, paramsOf, type Question, type View, viewOf } from './ask/question.ts';
import { site, tableUrl } from './ask/site.ts';
import { Chips } from './find/chips.tsx';
import { Toolbar } from './find/toolbar.tsx';
import { Description } from './parts/description.tsx';
import { useLoaded, useRedraw } from './parts/hooks.ts';
import { Panel } from './parts/panel.tsx';
import { Trouble } from './parts/trouble.tsx';
import { isUnsaved, mayLeave } from './parts/unsaved.ts';
import { Name, wordsOf } from './parts/value.tsx';
import { withKey } from './record/row-filters.ts';
import { noMarks } from './table/marks.ts';
import { TableMain } from './table/table-main.tsx';
import { say, shownCount } from './texts/index.ts';

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
  const names = ['_id', ...[...whole.columns, ...whole.binary].map(({ name }) => name)];
  const [view, setView] = useState<View>(() => viewOf(location.search, names));
  const [reads, setReads] = useState(0);
  const [writes, setWrites] = useState(0);
  const [marks, setMarks] = useState({ of: '', marked: noMarks });
  const redraw = useRedraw();
  /** The search whose records are shown: the previous one, until the first records of the new one arrive. */
  const before = useRef<{ readonly pages: Pages; readonly of: string } | null>(null);
  /** The total of the shown search. */
  const totalBefore = useRef<Total | null>(null);
  /** The search whose records are counted. Counting starts once its first records have arrived, to keep them fast. */
  const counts = useRef('');
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
  const { question } = view;
  // With `distinct`, one row may stand for several records. So it cannot be opened, edited or counted.
  const table = isDistinct(question) ? { ...whole, key: [], canWrite: false, canSummarize: false } : whole;
  const { id, key } = table;
  // The address may ask for the add panel of a table that is read-only.
  const panel = view.panel === 'add' && !table.canWrite ? 'none' : view.panel;
  const change = (part: Partial<Question>) => show({ question: { ...question, ...part } });

  const params = paramsOf(id, question);
  const requestKey = JSON.stringify([params, reads, writes]);
  const ask = (more: JsonObject, signal: AbortSignal) => call('datastore_search', more, { signal, fresh: reads > 0 });
  const pages = useMemo(() => {
    // The key columns are always requested: without them a row cannot be opened.
    const fields = question.fields === null ? withKey(table) : { fields: [...new Set([...question.fields, ...key])] };
    return new Pages(ask, { ...params, ...fields }, key.length > 0, redraw, before.current?.pages);
  }, [requestKey]);
  useEffect(() => {
    pages.load(0, 0);
    return () => pages.stop();
  }, [pages]);
  useEffect(() => {
    if (!pages.isOutdated) return;
    // With a delay, because two gateways behind one address may disagree about the columns for a moment; and not while a form is being filled in.
    const timer = setInterval(() => isUnsaved() || onOutdated(), 2000);
    return () => clearInterval(timer);
  }, [pages.isOutdated]);
  const { sort: _, fields = [], ...searched } = params;
  const countedSearch: JsonObject = isDistinct(question) ? { ...searched, fields } : searched;
  const countedKey = JSON.stringify([countedSearch, reads, writes]);
  // Marks belong to one search. Otherwise records that are no longer visible could be deleted.
  const marked = marks.of === countedKey ? marks.marked : noMarks;
  if (pages.first !== null && pages.total === null) counts.current = countedKey;
  const { data: counted, error: uncounted } = useLoaded(
    counts.current === countedKey ? countedKey : null,
    async (signal) => {
      const { result } = await ask({ ...countedSearch, limit: 0 }, signal);
      const isCounted = result.total_was_estimated !== true;
      const is = isCounted ? 'exact' : result.total_at_least === true ? 'at least' : 'estimated';
      return { of: countedKey, total: { count: count(result.total), is } as const };
    },
  );
  const exactTotal = pages.total === null ? null : ({ count: pages.total, is: 'exact' } as const);
  const total =
    pages.first === null ? totalBefore.current : (exactTotal ?? (counted?.of === countedKey ? counted.total : null));
  totalBefore.current = total;
  const words = useMemo(() => wordsOf(question.q), [question.q]);
  // The previous records stay visible until the new ones have arrived.
  if (pages.isReady) before.current = { pages, of: countedKey };
  const shown = before.current ?? { pages, of: countedKey };
  const isUnderWay = uncounted === null && pages.error === null;
  const waiting = before.current === null ? say.loading : say.counting;
  const says = total !== null ? countInWords(total, pages.loadedRows) : isUnderWay ? waiting : '';
  const hasId = columnsOf(pages.first?.result.fields)[0]?.name === '_id' && !key.includes('_id');
  const add = (conditions: Question['conditions']) =>
    change({ conditions: replaceConditions(question.conditions, conditions) });
  return (
    <main id="main" class="table">
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
            {pages.first !== null && (
              <button
                type="button"
                class="quiet reload"
                aria-label={say.reload}
                title={`${say.age(shownCount(pages.first.age))}. ${say.reload}`}
                onClick={() => setReads(reads + 1)}
              >
                ↻
              </button>
            )}
          </div>
        </div>
        <Description markdown={table.description} />
        <Toolbar {...{ table, view, says, hasId, onChange: change, onShow: show }} />
        <Chips resource={id} columns={table.columns} question={question} onChange={change} />
      </div>
      {view.isCut && (
        <p class="trouble" role="alert">
          {say.cutAddress}
        </p>
      )}
      {view.unused.length > 0 && (
        <p class="trouble" role="alert">
          {say.unusedParameters(view.unused.join(', '))}
        </p>
      )}
      <div class={`body${panel === 'none' ? '' : ` with-panel with-${panel}`}`}>
        <TableMain
          {...{
            table,
            view,
            pages: shown.pages,
            words,
            isOld: shown.pages !== pages,
            error: pages.error,
            marked,
            onShow: show,
            onChange: change,
          }}
          onMarked={(to) => {
            // The previous records may not match the new search, so they cannot be marked.
            if (shown.of === countedKey) setMarks({ of: countedKey, marked: to });
          }}
          total={total}
          onAdd={add}
          onRetry={() => pages.retry()}
        />
        {panel !== 'none' && (
          <Panel
            of={panel}
            {...{ table, view, pages: shown.pages, total, marked, onShow: show, onAdd: add }}
            onWritten={() => setWrites(writes + 1)}
          />
        )}
      </div>
    </main>
  );
}

/** @param read how many records have been loaded */
function countInWords({ count, is }: Total, read: number): string {
  const shown = is === 'at least' ? Math.max(read, count - 1) : count;
  const words = say.count(shownCount(shown), shown);
  return is === 'exact' ? words : is === 'estimated' ? say.about(words) : say.moreThan(words);
}
