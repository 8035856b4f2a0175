/** The list of tables. */
import { useState } from 'preact/hooks';
import { call } from './ask/call.ts';
import { count, list, object, text, texts } from './ask/json.ts';
import { site, tableUrl } from './ask/site.ts';
import { useLoaded } from './parts/hooks.ts';
import { firstWords } from './parts/plain-text.ts';
import { Trouble } from './parts/trouble.tsx';
import { Name } from './parts/value.tsx';
import { say, shownCount } from './texts/index.ts';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly aliases: readonly string[];
  readonly isAvailable: boolean;
}

const maxTables = 500;

export function List() {
  const [q, setQ] = useState('');
  const [tries, setTries] = useState(0);
  const { data, error, isLoading } = useLoaded(`${q} ${tries}`, async (signal) => {
    if (q !== '') await new Promise((resolve) => setTimeout(resolve, 120));
    const { result } = await call('resource_list', { ...(q === '' ? {} : { q }), limit: maxTables }, { signal });
    return { total: count(result.total), tables: list(result.resources).map(listed) };
  });
  const shown = data?.tables ?? [];
  return (
    <main id="main" class="list">
      <div class="list-head">
        <h1>{say.tables}</h1>
        <p role="status">{data !== null && say.tableCount(shownCount(data.total), data.total)}</p>
        <input
          type="search"
          aria-label={say.findTable}
          placeholder={say.findTable}
          value={q}
          onInput={(event) => setQ(event.currentTarget.value)}
        />
      </div>
      {error !== null && <Trouble error={error} resource="" isRepeated onRetry={() => setTries(tries + 1)} />}
      {data === null && isLoading && <p class="note">{say.loading}</p>}
      {data !== null && shown.length === 0 && <p class="nothing">{q === '' ? say.noTables : say.noTableFound}</p>}
      <ul class="tables" aria-busy={isLoading}>
        {shown.map(({ id, title, description, aliases, isAvailable }) => (
          <li key={id}>
            <a href={tableUrl(id)} data-inside="" dir="auto">
              <Name of={title} />
            </a>
            <code dir="auto">{[id, ...aliases].filter((name) => name !== title).join(' · ')}</code>
            {description !== '' && (
              <p dir="auto">
                <Name of={firstWords(description, 240)} />
              </p>
            )}
            {!isAvailable && <small class="wrong">{say.unavailable}</small>}
          </li>
        ))}
      </ul>
      {data !== null && data.total > shown.length && (
        <p class="note">{say.moreTables(shownCount(data.total - shown.length))}</p>
      )}
      <footer>
        <a href={`${site.base}/api/openapi.json`}>{say.programs}</a>
      </footer>
    </main>
  );
}

function listed(value: Parameters<typeof object>[0]): Listed {
  const { id, title, description, aliases, available } = object(value);
  return {
    id: text(id),
    title: text(title) || text(id),
    description: text(description),
    aliases: texts(aliases),
    isAvailable: available !== false,
  };
}
