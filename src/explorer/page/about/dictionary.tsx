import type { Column } from '../ask/columns.ts';
import { referenceOf } from '../ask/references.ts';
import { tableUrl } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { Icon } from '../parts/icon.tsx';
import { lookOf } from '../parts/looks.ts';
import { Name } from '../parts/value.tsx';
import { aboutWords as words } from '../texts/index.ts';

/** What each column means. */
export function Dictionary({ table }: { readonly table: Table }) {
  return (
    <section>
      <h2 id="dictionary">{words.columns}</h2>
      <table class="dictionary" aria-labelledby="dictionary">
        <thead>
          <tr>
            <th scope="col">{words.column}</th>
            <th scope="col">{words.kind}</th>
            <th scope="col">{words.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {[...table.columns, ...table.binary].map((column) => (
            <tr key={column.name}>
              <th scope="row">
                <span dir="auto">
                  <Name of={column.label} />
                </span>
                <code>{column.name}</code>
              </th>
              <td>
                <Kind {...{ table, column }} />
                <code>{column.type}</code>
              </td>
              <td dir="auto">{column.notes === '' ? <span class="faint">–</span> : <Name of={column.notes} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Kind({ table, column }: { readonly table: Table; readonly column: Column }) {
  const reference = referenceOf(table.references, column.name);
  const { icon, kind } = lookOf(column, table);
  if (reference === undefined)
    return (
      <span class="kind">
        <Icon name={icon} />
        <span>{column.unit === '' ? kind : words.unit(kind, column.unit)}</span>
      </span>
    );
  return (
    <span class="kind">
      <Icon name={icon} />
      <span>
        {words.refersTo}{' '}
        <a href={tableUrl(reference.resource)} data-inside="" dir="auto">
          {reference.title}
        </a>
      </span>
    </span>
  );
}
