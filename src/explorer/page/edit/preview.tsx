import type { Column } from '../ask/columns.ts';
import { textOf } from '../ask/json.ts';
import { Name, Value } from '../parts/value.tsx';
import { shownCount } from '../texts/index.ts';
import { After, Before } from './change.tsx';
import type { Pair } from './paste-calls.ts';

export interface PreviewProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly pairs: readonly Pair[];
  /** The first record's index, from 0. */
  readonly from: number;
  /** The names of the columns with an error. */
  readonly wrong: readonly string[];
}

const maxCharacters = 120;

/** A table of records. A value that the write changes is shown as it is before and after. */
export function Preview({ label, columns, pairs, from, wrong }: PreviewProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs the focus
    <section class="preview" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            {columns.map(({ name, label, kind }) => (
              <th key={name} scope="col" dir="auto" class={kind === 'number' ? 'number' : ''}>
                <Name of={label} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ before, after }, nth) => (
            <tr key={nth}>
              <th scope="row">{shownCount(from + nth + 1)}</th>
              {columns.map(({ name, kind }) => (
                <td key={name} class={`${kind === 'number' ? 'number' : ''} ${wrong.includes(name) ? 'at-fault' : ''}`}>
                  <Cell name={name} before={before} after={after} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ name, before, after }: Pair & { readonly name: string }) {
  if (!Object.hasOwn(after, name)) return null;
  if (before === null || textOf(before[name] ?? null) === textOf(after[name] ?? null))
    return <Value value={after[name] ?? null} words={[]} most={maxCharacters} />;
  return (
    <>
      <Before value={before[name]} most={maxCharacters} /> <After value={after[name]} most={maxCharacters} />
    </>
  );
}
