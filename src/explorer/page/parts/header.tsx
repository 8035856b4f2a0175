import { useState } from 'preact/hooks';
import { queryOf } from '../ask/question.ts';
import { site } from '../ask/site.ts';
import { token } from '../ask/token.ts';
import { chooseLanguage, languageName, languages, say } from '../texts/index.ts';
import { Icon } from './icon.tsx';
import { lazy } from './lazy.tsx';
import { Popover } from './popover.tsx';
import { Select } from './select.tsx';
import { chooseTheme, type Theme, theme, themes } from './theme.ts';
import { mayLeave } from './unsaved.ts';

const TokenForm = lazy(async () => (await import('./token-form.tsx')).TokenForm);

export interface HeaderProps {
  /** The owner of the token or login; null without one, or if the gateway does not know it. */
  readonly caller: string | null;
  /** Whether to offer the front page's search. */
  readonly isFindOffered: boolean;
  /** Called after the token has changed. */
  onToken(): void;
}

export function Header({ caller, isFindOffered, onToken }: HeaderProps) {
  return (
    <header class="site">
      <a class="home" href={site.root} data-inside="" dir="auto">
        <Icon name="columns" />
        {site.title}
      </a>
      {isFindOffered ? <FindTable /> : <span class="spring" />}
      {!site.isFramed && (
        <Popover
          class="quiet"
          id="token"
          label={say.token}
          button={caller === null ? say.signIn : <span class="held">{nameOf(caller)}</span>}
        >
          {(close) => (
            <TokenForm
              caller={caller}
              onDone={() => {
                close();
                onToken();
              }}
            />
          )}
        </Popover>
      )}
      <Popover
        class="quiet"
        label={say.settings}
        button={
          <>
            <Icon name="settings" label={say.settings} /> <span class="language">{languageName}</span>
          </>
        }
      >
        {() => <Settings />}
      </Popover>
    </header>
  );
}

/** The caller's name, with a note whether it comes from this tab's token or from a login at the site. */
const nameOf = (caller: string): string => (token() === '' ? say.loginOf(caller) : say.tokenOf(caller));

/** Opens the front page with a search. */
function FindTable() {
  return (
    <search class="find">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const words = new FormData(event.currentTarget).get('q');
          if (typeof words !== 'string' || !mayLeave()) return;
          history.pushState(null, '', `${site.root}${queryOf({ q: words })}`);
          // Makes the page follow, as if the user had navigated there with Back.
          dispatchEvent(new PopStateEvent('popstate'));
        }}
      >
        <Icon name="find" />
        <input name="q" type="search" aria-label={say.front.find} placeholder={say.front.find} autocomplete="off" />
      </form>
    </search>
  );
}

function Settings() {
  const [now, setNow] = useState<Theme>(theme);
  return (
    <div class="form">
      <label>
        {say.languageOfPage}
        <select
          value={say.language}
          onChange={(event) => {
            chooseLanguage(event.currentTarget.value);
            location.reload();
          }}
        >
          {languages.map(({ id, name }) => (
            <option key={id} value={id} lang={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Select
        label={say.theme}
        all={themes}
        nameOf={(one) => say.themes[one]}
        value={now}
        onValue={(chosen) => {
          chooseTheme(chosen);
          setNow(chosen);
        }}
      />
    </div>
  );
}
