/** The root of the page: the header, and the view that the address selects (the list of tables, or one table). */
import { useEffect, useState } from 'preact/hooks';
import { call } from './ask/call.ts';
import { isExact, text } from './ask/json.ts';
import { site } from './ask/site.ts';
import { takeToken, token } from './ask/token.ts';
import { Front } from './front/front.tsx';
import { keepScroll } from './front/scroll.ts';
import { Header } from './parts/header.tsx';
import { useLoaded } from './parts/hooks.ts';
import { mayLeave } from './parts/unsaved.ts';
import { TableView } from './table-view.tsx';
import { say } from './texts/index.ts';

/** The id of the table in the address; '' for the list. */
function tableOf(path: string): string {
  if (!path.startsWith(`${site.root}/`)) return '';
  try {
    return decodeURIComponent(path.slice(site.root.length + 1));
  } catch {
    return '';
  }
}

/** Skips to the selected cell of the grid, or to the main part of a page without a grid. */
function focusMain(): void {
  const records = document.querySelector<HTMLElement>('.grid [tabindex="0"], .record-list');
  const main = document.querySelector<HTMLElement>('#main');
  if (records === null && main !== null) main.tabIndex = -1;
  (records ?? main)?.focus();
}

export function App() {
  const [id, setId] = useState(() => tableOf(location.pathname));
  /** Counts token changes: each one asks the gateway again who the caller is. */
  const [tokens, setTokens] = useState(0);
  /** Key of the views: a new number remounts them with the new token, unless that would throw away an unsaved form. */
  const [views, setViews] = useState(0);
  const sent = token();
  const mayBeKnown = sent !== '' || site.takesCookies;
  const caller = useLoaded(mayBeKnown ? `${tokens}` : null, async (signal) =>
    text((await call('resource_list', { limit: 1 }, { signal })).result.caller),
  );
  const onToken = () => {
    setTokens((now) => now + 1);
    if (mayLeave()) setViews((now) => now + 1);
  };
  useEffect(() => {
    const follow = () => setId(tableOf(location.pathname));
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-inside]') : null;
      if (link === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      if (!mayLeave()) return;
      keepScroll();
      history.pushState(null, '', link.href);
      // The link may lead to another view of the table that is already open, for example from an employee to their manager.
      dispatchEvent(new PopStateEvent('popstate'));
      scrollTo(0, 0);
    };
    // Opening a link with `#token=…` in a tab that already shows this page fires only `hashchange`, without a reload.
    const take = () => void (takeToken() && onToken());
    addEventListener('hashchange', take);
    addEventListener('popstate', follow);
    document.addEventListener('click', onClick);
    return () => {
      removeEventListener('hashchange', take);
      removeEventListener('popstate', follow);
      document.removeEventListener('click', onClick);
    };
  }, []);
  useEffect(() => {
    if (id === '') document.title = site.title;
  }, [id]);
  return (
    <>
      <button type="button" class="skip" onClick={focusMain}>
        {say.skip}
      </button>
      <Header caller={mayBeKnown ? caller.data || null : null} isFindOffered={id !== ''} onToken={onToken} />
      {!isExact && (
        <p class="trouble" role="alert">
          {say.oldBrowser}
        </p>
      )}
      {isExact && (id === '' ? <Front key={views} onToken={onToken} /> : <TableView key={`${views} ${id}`} id={id} />)}
    </>
  );
}
