/** The front page: what this site is, a search, and the tables. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { site } from '../ask/site.ts';
import { useLoaded } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Name } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { type FrontView, frontAddressOf, frontViewOf } from './address.ts';
import { Found } from './found.tsx';
import { keptTables, loadTables } from './load.ts';
import { Locked } from './locked.tsx';
import { Programs } from './programs.tsx';
import { keepScroll, restoreScroll } from './scroll.ts';
import { Sidebar } from './sidebar.tsx';
import { Skeleton } from './skeleton.tsx';

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
            <Found {...{ found, all, words, view }} onView={(to) => setView(to, false)} />
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
