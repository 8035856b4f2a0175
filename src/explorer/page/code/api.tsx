/** The tab API: the call for what is shown, in five languages. */
import { useState } from 'preact/hooks';
import { flatParams, paramsOf, queryOf } from '../ask/question.ts';
import { actionUrl, dumpUrl, openApiUrl } from '../ask/site.ts';
import { token } from '../ask/token.ts';
import { Copy } from '../parts/copy.tsx';
import type { TabProps } from '../parts/tab-props.ts';
import { say } from '../texts/index.ts';
import { curl } from './curl.ts';
import { javascript } from './javascript.ts';
import { powershell } from './powershell.ts';
import { python } from './python.ts';
import { r } from './r.ts';
import type { Program, Target } from './wanted.ts';

const programs: Readonly<Record<string, Program>> = {
  curl,
  Python: python,
  JavaScript: javascript,
  R: r,
  PowerShell: powershell,
};

export function Api({ table, view }: TabProps) {
  const [language, setLanguage] = useState('curl');
  const [isWhole, setWhole] = useState(false);
  const absolute = (path: string) => new URL(path, location.href).href;
  const request: Target = {
    hasToken: token() !== '',
    ...(isWhole
      ? { kind: 'file', url: absolute(dumpUrl(table.id) + queryOf({ format: 'csv', ...flatParams(view.question) })) }
      : {
          kind: 'records',
          url: absolute(actionUrl('datastore_search')),
          params: { ...paramsOf(table.id, view.question), limit: 100 },
        }),
  };
  const code = programs[language]?.(request) ?? '';
  return (
    <section class="api" aria-label={say.tabs.api}>
      <p class="note">{say.apiWhat}</p>
      <fieldset class="switch">
        <legend class="unseen-label">{say.programLanguage}</legend>
        {Object.keys(programs).map((one) => (
          <button key={one} type="button" aria-pressed={one === language} onClick={() => setLanguage(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      <fieldset class="switch">
        <legend class="unseen-label">{say.records}</legend>
        <button type="button" aria-pressed={!isWhole} onClick={() => setWhole(false)}>
          {say.page}
        </button>
        <button type="button" aria-pressed={isWhole} onClick={() => setWhole(true)}>
          {say.everything}
        </button>
      </fieldset>
      <section class="code" aria-label={language}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard, too */}
        <pre tabIndex={0}>
          <code>{code}</code>
        </pre>
        <Copy text={() => code} />
      </section>
      {request.hasToken && <p class="note">{say.withToken}</p>}
      <p>
        <a href={openApiUrl(table.id)}>{say.openApi}</a>
      </p>
    </section>
  );
}
