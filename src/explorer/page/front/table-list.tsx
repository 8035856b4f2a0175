import { tableUrl } from '../ask/site.ts';
import { Icon } from '../parts/icon.tsx';
import { sinceText } from '../parts/since.ts';
import { Name, Value } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';
import { grouped, type ListedTable } from './tables.ts';

export interface TableListProps {
  readonly tables: readonly ListedTable[];
  /** The search words, to highlight. */
  readonly words: readonly string[];
  /** Whether each table gets a single line. */
  readonly isDense: boolean;
}

/** The tables, under group headings if there are several groups. */
export function TableList({ tables, words, isDense }: TableListProps) {
  const groups = grouped(tables, say.language);
  return groups.map(({ name, tables }) => (
    <section key={name}>
      {(groups.length > 1 || name !== '') && (
        <h2 dir="auto">
          <Name of={name || say.front.others} />
          {isDense && <small> {say.front.count(shownCount(tables.length), tables.length)}</small>}
        </h2>
      )}
      <ul class={isDense ? 'front-tables dense' : 'front-tables'}>
        {tables.map((table) => (
          <Item key={table.id} table={table} words={words} isDense={isDense} />
        ))}
      </ul>
    </section>
  ));
}

function Item({
  table,
  words,
  isDense,
}: Omit<TableListProps, 'tables'> & {
  readonly table: ListedTable;
}) {
  const { id, title, summary, records, lastChange, columns, isAvailable, shows } = table;
  return (
    <li>
      <p class="front-name">
        <a href={tableUrl(id)} data-inside="" dir="auto">
          <Value value={title} words={words} most={200} />
        </a>
        {shows.has('map') && !isDense && (
          <span class="front-tag">
            <Icon name="place" /> {say.front.show.map}
          </span>
        )}
        {!isAvailable && <small class="wrong">{say.unavailable}</small>}
      </p>
      <p class="front-summary" dir="auto">
        {summary !== '' && <Value value={summary} words={words} most={300} />}
      </p>
      <p class="front-records">
        {records !== null && (
          <>
            <b>≈ {shownCount(records)}</b> <small>{say.front.records(records)}</small>
          </>
        )}
      </p>
      <p class="front-changed">
        {lastChange !== '' && <time title={lastChange}>{sinceText(lastChange)}</time>}{' '}
        {columns !== null && <small>{say.front.columns(shownCount(columns), columns)}</small>}
      </p>
      <Hit table={table} words={words} />
    </li>
  );
}

/** The names and columns that made the search find a table. */
function Hit({
  table: { id, title, aliases, matching },
  words,
}: Pick<TableListProps, 'words'> & { readonly table: ListedTable }) {
  const missing = words.filter((word) => !title.toLowerCase().includes(word));
  const names = [id, ...aliases].filter((name) => missing.some((word) => name.toLowerCase().includes(word)));
  if (words.length === 0 || (names.length === 0 && matching.length === 0)) return null;
  return (
    <ul class="front-hit">
      {names.map((name) => (
        <li key={name} dir="auto">
          {say.front.name} <Value value={name} words={words} most={200} />
        </li>
      ))}
      {matching.map(({ name, notes }) => (
        <li key={name} dir="auto">
          {say.front.column} <Value value={name} words={words} most={200} />
          {notes !== '' && (
            <>
              {' · '}
              <Value value={notes} words={[]} most={120} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
