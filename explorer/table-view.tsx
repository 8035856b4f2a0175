/** One table: words, filters and columns above, records in the middle, a panel beside them. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { call } from './ask/call.ts';
import { type Column, columnsOf } from './ask/columns.ts';
import { replaced } from './ask/conditions.ts';
import { count, type JsonObject, text, texts } from './ask/json.ts';
import { Pages } from './ask/pages.ts';
import { addressOf, paramsOf, type Question, type View, viewOf } from './ask/question.ts';
import { site, tableUrl } from './ask/site.ts';
import { Chips } from './find/chips.tsx';
import { Toolbar } from './find/toolbar.tsx';
import { firstWords } from './list.tsx';
import { useLoaded, useRedraw } from './parts/hooks.ts';
import { Panel } from './parts/panel.tsx';
import { Trouble } from './parts/trouble.tsx';
import { wordsOf } from './parts/value.tsx';
import { TableMain } from './table/table-main.tsx';
import { say, shownCount } from './texts/index.ts';

/** What does not change with the question. */
export interface Table {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The names of the columns that identify a record; empty where nothing does. */
  readonly key: readonly string[];
  readonly searched: readonly string[];
  readonly canSummarize: boolean;
  /** Each once, without `_id` where its column has its own name, and without the binary ones. */
  readonly columns: readonly Column[];
  readonly binary: readonly Column[];
}

export interface Total {
  readonly count: number;
  readonly isEstimated: boolean;
}

async function loadTable(id: string, signal: AbortSignal): Promise<Table> {
  const [about, info] = await Promise.all([
    call('resource_show', { id }, { signal }),
    call('datastore_info', { resource_id: id, include_meta: false, include_fields_schema: false }, { signal }),
  ]);
  const all = columnsOf(info.result.fields);
  const key = texts(info.result.key);
  const { aggregate } = Object(info.result.may);
  const hasOwnId = key.includes('_id');
  const own = hasOwnId ? columnsOf([{ id: '_id', type: 'int' }]) : [];
  return {
    id: text(about.result.id) || id,
    title: text(about.result.name) || id,
    description: text(about.result.description),
    key,
    searched: texts(info.result.searched),
    canSummarize: aggregate !== false,
    columns: [...own, ...all.filter(({ type }) => type !== 'bytea')],
    binary: all.filter(({ type }) => type === 'bytea'),
  };
}

export function TableView({ id }: { readonly id: string }) {
  const [tries, setTries] = useState(0);
  const { data: table, error } = useLoaded(`${tries}`, (signal) => loadTable(id, signal));
  useEffect(() => {
    document.title = `${table?.title ?? id} · ${site.title}`;
  }, [table]);
  if (error !== null)
    return (
      <main id="main" class="list">
        <Trouble error={error} resource={id} onRetry={() => setTries(tries + 1)} />
      </main>
    );
  return table === null ? <main id="main" class="opening" aria-busy="true" /> : <OpenTable table={table} />;
}

function OpenTable({ table }: { readonly table: Table }) {
  const { id, key } = table;
  const [view, setView] = useState<View>(() => viewOf(location.search));
  const [reads, setReads] = useState(0);
  const redraw = useRedraw();
  const before = useRef<Pages | null>(null);
  useEffect(() => {
    const follow = () => setView(viewOf(location.search));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const show = (part: Partial<View>) => {
    const next = { ...view, ...part };
    setView(next);
    history.pushState(null, '', tableUrl(id) + addressOf(next));
  };
  const { question } = view;
  const change = (part: Partial<Question>) => show({ question: { ...question, ...part } });

  const params = paramsOf(id, question);
  const asked = JSON.stringify([params, reads]);
  const ask = (more: JsonObject, signal: AbortSignal) => call('datastore_search', more, { signal, fresh: reads > 0 });
  const pages = useMemo(() => {
    // The key is needed to open a record, also where its columns are not shown.
    const fields = question.fields === null ? {} : { fields: [...new Set([...question.fields, ...key])] };
    return new Pages(ask, { ...params, ...fields }, key.length > 0, redraw);
  }, [asked]);
  useEffect(() => {
    pages.need(0, 0);
    return () => {
      if (pages.first !== null) before.current = pages;
      pages.stop();
    };
  }, [pages]);
  const { q, filters } = params;
  const found = { resource_id: id, ...(q === undefined ? {} : { q }), ...(filters === undefined ? {} : { filters }) };
  const { data: total, error: uncounted } = useLoaded(
    JSON.stringify([found, reads]),
    async (signal): Promise<Total> => {
      const { result } = await ask({ ...found, limit: 0 }, signal);
      return { count: count(result.total), isEstimated: result.total_was_estimated === true };
    },
  );
  const words = useMemo(() => wordsOf(question.q), [question.q]);
  // The old records stay until the new ones are there.
  const shown = pages.first === null && before.current !== null ? before.current : pages;
  const says = total !== null ? countInWords(total) : uncounted === null ? say.counting : '';
  const add = (conditions: Question['conditions']) => change({ conditions: replaced(question.conditions, conditions) });
  return (
    <main id="main" class="table">
      <div class="table-head">
        <div class="title">
          <a href={site.root} data-inside="" class="back">
            {say.tables}
          </a>
          <h1 dir="auto">{table.title}</h1>
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
        {table.description !== '' && (
          <p class="description" dir="auto">
            {firstWords(table.description)}
          </p>
        )}
        <Toolbar {...{ table, view, says, onChange: change, onShow: show }} />
        <Chips resource={id} columns={table.columns} question={question} onChange={change} />
      </div>
      <div class={`body${view.panel === 'none' ? '' : ` with-panel with-${view.panel}`}`}>
        <TableMain
          {...{
            table,
            view,
            pages: shown,
            words,
            isOld: shown !== pages,
            error: pages.error,
            onShow: show,
            onChange: change,
          }}
          total={total}
          onAdd={add}
          onRetry={() => pages.retry()}
        />
        {view.panel !== 'none' && (
          <Panel of={view.panel} {...{ table, view, pages: shown, total, onShow: show, onAdd: add }} />
        )}
      </div>
    </main>
  );
}

function countInWords({ count, isEstimated }: Total): string {
  const words = say.count(shownCount(count), count);
  return isEstimated ? say.about(words) : words;
}
