import { tableUrl } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { aboutWords as words } from '../texts/index.ts';

/** The tables that this one refers to, and those that refer to it. */
export function Related({ table: { columns, references, referencedBy } }: { readonly table: Table }) {
  const labelOf = (field: string) => columns.find(({ name }) => name === field)?.label ?? field;
  const all = [
    ...references.map(({ fields, ...other }) => ({ ...other, how: words.namedBy(fields.map(labelOf).join(', ')) })),
    ...referencedBy.map(({ fields, ...other }) => ({ ...other, how: words.refersBy(fields.join(', ')) })),
  ];
  if (all.length === 0) return null;
  return (
    <section>
      <h2>{words.related}</h2>
      <ul class="related">
        {all.map(({ resource, title, how }) => (
          <li key={`${resource} ${how}`}>
            <a href={tableUrl(resource)} data-inside="" dir="auto">
              {title}
            </a>{' '}
            <small>{how}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
