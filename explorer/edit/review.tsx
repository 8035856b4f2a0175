import type { Column } from '../ask/columns.ts';
import { type JsonObject, textOf } from '../ask/json.ts';
import { shownCount } from '../texts/index.ts';
import { After, Before } from './change.tsx';
import { differences } from './draft.ts';
import { words } from './texts/index.ts';

export interface ReviewProps {
  readonly columns: readonly Column[];
  /** Null: the record is new. */
  readonly before: JsonObject | null;
  readonly after: JsonObject;
  /** The columns that the call names. The database has changed all others. */
  readonly sent: JsonObject;
}

const most = 2000;

/** A record before and after a write: what changes, then the number of columns that do not. */
export function Review({ columns, before, after, sent }: ReviewProps) {
  const changed = before === null ? columns : differences(before, after, columns);
  const rest = columns.length - changed.length;
  return (
    <>
      <dl class="record review">
        {changed.map(({ name, label }) => (
          <div key={name} class="field">
            <dt>
              <span dir="auto">{label}</span>{' '}
              {!Object.hasOwn(sent, name) && textOf(after[name] ?? null) !== null && (
                <small class="tag">{words.byDatabase}</small>
              )}
            </dt>
            {before !== null && (
              <dd dir="auto">
                <Before value={before[name]} most={most} />
              </dd>
            )}
            <dd dir="auto">
              <After value={after[name]} most={most} />
            </dd>
          </div>
        ))}
      </dl>
      {rest > 0 && before !== null && <p class="note">{words.others(shownCount(rest))}</p>}
    </>
  );
}
