import { useState } from 'preact/hooks';
import { site } from '../ask/site.ts';
import { token } from '../ask/token.ts';
import { chooseLanguage, languages, say } from '../texts/index.ts';
import { Icon } from './icon.tsx';
import { lazy } from './lazy.tsx';
import { Popover } from './popover.tsx';
import { chooseTheme, type Theme, theme, themes } from './theme.ts';

const TokenForm = lazy(async () => (await import('./token-form.tsx')).TokenForm);

export interface HeaderProps {
  /** Whose token or login it is; null without one, or if the gateway does not know it. */
  readonly caller: string | null;
  /** Called after the token has changed. */
  onToken(): void;
}

export function Header({ caller, onToken }: HeaderProps) {
  return (
    <header class="site">
      <a class="home" href={site.root} data-inside="" dir="auto">
        <Icon name="columns" />
        {site.title}
      </a>
      <span class="spring" />
      {!site.isFramed && (
        <Popover
          class="quiet"
          id="token"
          label={say.token}
          button={caller === null ? say.token : <span class="held">{nameOf(caller)}</span>}
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
      <ThemePicker />
      <select
        aria-label={say.programLanguage}
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
    </header>
  );
}

/** Who reads: by the token of this tab, or by a login of the site. */
const nameOf = (caller: string): string => (token() === '' ? say.loginOf(caller) : say.tokenOf(caller));

function ThemePicker() {
  const [now, setNow] = useState<Theme>(theme);
  return (
    <select
      class="theme"
      aria-label={say.theme}
      value={now}
      onChange={(event) => {
        const chosen = themes.find((one) => one === event.currentTarget.value) ?? 'auto';
        chooseTheme(chosen);
        setNow(chosen);
      }}
    >
      {themes.map((one) => (
        <option key={one} value={one}>
          {say.themes[one]}
        </option>
      ))}
    </select>
  );
}
