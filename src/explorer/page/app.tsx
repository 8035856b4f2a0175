/** Which view an address shows. */
import { useEffect, useState } from 'preact/hooks';
import { call } from './ask/call.ts';
import { isExact, text } from './ask/json.ts';
import { site } from './ask/site.ts';
import { takeToken, token } from './ask/token.ts';
import { List } from './list.tsx';
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

export function App() {
  const [id, setId] = useState(() => tableOf(location.pathname));
  /** Counts the tokens of this page. */
  const [tokens, setTokens] = useState(0);
  /** Views begin anew with each token, unless a form is kept that is not saved. */
  const [views, setViews] = useState(0);
  const sent = token();
  const caller = useLoaded(sent === '' ? null : `${tokens}`, async (signal) =>
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
      history.pushState(null, '', link.href);
      follow();
      scrollTo(0, 0);
    };
    // An address with a token that is opened where the page is already does not load it again.
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
      <a class="skip" href="#main">
        {say.skip}
      </a>
      <Header caller={sent === '' ? null : caller.data || null} onToken={onToken} />
      {!isExact && (
        <p class="trouble" role="alert">
          {say.oldBrowser}
        </p>
      )}
      {isExact && (id === '' ? <List key={views} /> : <TableView key={`${views} ${id}`} id={id} />)}
    </>
  );
}
