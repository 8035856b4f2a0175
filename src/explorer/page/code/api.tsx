/** The tab API: the calls behind the current view, in five languages, with their parameters and an answer. */
import { useState } from 'preact/hooks';
import { readDocument } from '../ask/call.ts';
import { columnsOf } from '../ask/columns.ts';
import { openApiUrl } from '../ask/site.ts';
import { token } from '../ask/token.ts';
import { Copy } from '../parts/copy.tsx';
import { useLoaded } from '../parts/hooks.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { say } from '../texts/index.ts';
import { Answer } from './answer.tsx';
import { Choice } from './choice.tsx';
import { curl } from './curl.ts';
import { javascript } from './javascript.ts';
import { callOf, exampleOf, type Operation, operationsOf, urlOf } from './operations.ts';
import { Parameters } from './parameters.tsx';
import { powershell } from './powershell.ts';
import { python } from './python.ts';
import { r } from './r.ts';
import type { Program } from './wanted.ts';

const programs: Readonly<Record<string, Program>> = {
  curl,
  Python: python,
  JavaScript: javascript,
  R: r,
  PowerShell: powershell,
};

const names: Readonly<Record<Operation, string>> = {
  search: say.page,
  download: say.everything,
  counts: say.counts,
  write: say.writing,
};

export function Api({ table, view, search }: TabProps) {
  const [language, setLanguage] = useState('curl');
  const [operation, setOperation] = useState<Operation>('search');
  const { pages } = search.shown;
  const fields = columnsOf(pages.first?.result.fields).map(({ name }) => name);
  const { data: document } = useLoaded(table.id, (signal) => readDocument(openApiUrl(table.id), signal));
  const call = callOf(operation, table, view.question, view.by, exampleOf(table, fields, pages.row(0), document));
  const hasToken = token() !== '';
  const url = new URL(urlOf(call), location.href).href;
  const code = programs[language]?.({ ...call, hasToken, url }) ?? '';
  return (
    <section class="api" aria-label={say.tabs.api}>
      <div class="api-in">
        <p class="note">{say.apiWhat}</p>
        <div class="api-choices">
          <Choice<Operation>
            of={operationsOf(table)}
            chosen={operation}
            label={say.operation}
            nameOf={(one) => names[one]}
            onChoose={setOperation}
          />
          <Choice
            of={Object.keys(programs)}
            chosen={language}
            label={say.programLanguage}
            nameOf={(one) => one}
            onChoose={setLanguage}
          />
        </div>
        <div class="api-pair">
          <div>
            <h2>{say.callHeading}</h2>
            <section class="code" aria-label={language}>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard, too */}
              <pre tabIndex={0}>
                <code>{code}</code>
              </pre>
              <Copy text={() => code} />
            </section>
            {hasToken && <p class="note">{say.withToken}</p>}
            {operation === 'write' && <p class="note">{say.dryRun}</p>}
          </div>
          {call.kind !== 'file' && operation !== 'write' && <Answer call={call} />}
        </div>
        {document !== null && <Parameters document={document} call={call} />}
        <p>
          <a href={openApiUrl(table.id)}>{say.openApi}</a>
          {document !== null && ` (${sizes.format(JSON.stringify(document).length / 1000)})`}
        </p>
      </div>
    </section>
  );
}

const sizes = new Intl.NumberFormat(say.language, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
