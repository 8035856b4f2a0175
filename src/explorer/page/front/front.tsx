/** The front page: what this site is, a search, and the tables. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { site } from '../ask/site.ts';
import { useLoaded } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { Select } from '../parts/select.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Name } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';
import { type FrontView, frontAddressOf, frontViewOf, sorts } from './address.ts';
import { keptTables, loadTables } from './load.ts';
import { Locked } from './locked.tsx';
import { Programs } from './programs.tsx';
import { keepScroll, restoreScroll } from './scroll.ts';
import { Sidebar } from './sidebar.tsx';
import { Skeleton } from './skeleton.tsx';
import { TableList } from './table-list.tsx';
import { chosenFrom, ordered, waysOf } from './tables.ts';

/** With more tables than this, each gets a single line. */
const maxRich = 24;

const lists = new Intl.ListFormat(say.language);

/** @param onToken called after the user has entered a token */
export function Front({ onToken }: { onToken(): void }) {
  const [view, setView] = useView();
  const [tries, setTries] = useState(0);
  const words = view.q.toLowerCase().match(/\S+/g) ?? [];
  const q = words.join(' ');
  const every = useLoaded(`${tries}`, (signal) => loadTables('', signal));
  const search = useLoaded(q === '' ? null : `${tries} ${q}`, (signal) => loadTables(q, signal));
  const all = every.data ?? keptTables('');
  const found = q === '' ? all : (search.data ?? keptTables(q));
  const error = every.error ?? (q === '' ? null : search.error);
  useLayoutEffect(() => {
    if (found !== null) restoreScroll();
  }, [found === null]);
  if (all !== null && all.total === 0 && all.caller === '') return <Locked onToken={onToken} />;
  const tables = found === null ? [] : ordered(chosenFrom(found.tables, view), view.sort, say.language);
  const isEverything = all !== null && tables.length === all.tables.length;
  const ways = waysOf(tables, words).map((way) => say.front.ways[way]);
  return (
    <main id="main" class="front">
      <header>
        <h1 dir="auto">
          <Name of={site.title} />
        </h1>
        {site.description !== '' && (
          <p class="lead" dir="auto">
            <Name of={site.description} />
          </p>
        )}
        <Find q={view.q} onQ={(q) => setView({ ...view, q }, false)} />
      </header>
      {error !== null && <Trouble error={error} resource="" isRepeated onRetry={() => setTries(tries + 1)} />}
      <div class="front-columns">
        {all !== null && (
          <Sidebar view={view} all={all.tables} found={found?.tables ?? []} onView={(to) => setView(to, true)} />
        )}
        <div class="front-list" aria-busy={every.isLoading || (q !== '' && search.isLoading)}>
          {found === null ? (
            error === null && <Skeleton />
          ) : (
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
                  onValue={(sort) => setView({ ...view, sort }, false)}
                />
              </div>
              {tables.length === 0 && <p class="nothing">{all?.total === 0 ? say.front.empty : say.front.nothing}</p>}
              <TableList tables={tables} words={words} isDense={tables.length > maxRich} />
              {found.total > found.tables.length && (
                <p class="note">{say.front.more(shownCount(found.total - found.tables.length))}</p>
              )}
            </>
          )}
        </div>
        <Programs />
      </div>
    </main>
  );
}

/** The state in the address, and a function that changes both. `isStep`: whether Back undoes the change. */
function useView(): readonly [FrontView, (to: FrontView, isStep: boolean) => void] {
  const [view, setView] = useState(() => frontViewOf(location.search));
  useEffect(() => {
    const follow = () => setView(frontViewOf(location.search));
    addEventListener('popstate', follow);
    addEventListener('pagehide', keepScroll);
    return () => {
      removeEventListener('popstate', follow);
      removeEventListener('pagehide', keepScroll);
    };
  }, []);
  const change = (to: FrontView, isStep: boolean) => {
    if (isStep) keepScroll();
    history[isStep ? 'pushState' : 'replaceState'](null, '', `${location.pathname}${frontAddressOf(to)}`);
    setView(to);
  };
  return [view, change];
}

/** The search field. The `/` key focuses it. */
function Find({ q, onQ }: { readonly q: string; onQ(to: string): void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input,select,textarea') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <search class="find">
      <Icon name="find" />
      <input
        ref={input}
        type="search"
        aria-label={say.front.find}
        aria-keyshortcuts="/"
        placeholder={say.front.find}
        value={q}
        onInput={(event) => onQ(event.currentTarget.value)}
      />
      <kbd>/</kbd>
    </search>
  );
}
