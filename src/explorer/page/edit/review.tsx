import type { Column } from '../ask/columns.ts';
import { type Json, type JsonObject, textOf } from '../ask/json.ts';
import { shownCount } from '../texts/index.ts';
import { After, Before } from './change.tsx';
import { differences } from './draft.ts';
import { words } from './texts/index.ts';

export interface ReviewProps {
  readonly columns: readonly Column[];
  /** Null for a new record. */
  readonly before: JsonObject | null;
  readonly after: JsonObject;
  /** The values that were sent. If any other column changed, the database changed it. */
  readonly sent: JsonObject;
}

const maxCharacters = 2000;

/** Long values start shortly before the first difference, which could otherwise lie beyond the part that is shown. */
function fromDifference(value: Json | undefined, other: Json | undefined): Json {
  const [text, others] = [textOf(value ?? null), textOf(other ?? null)];
  if (text === null || others === null || text.length <= maxCharacters) return value ?? null;
  let same = 0;
  while (same < text.length && text[same] === others[same]) same++;
  return same < maxCharacters / 2 ? text : `…${text.slice(same - 100)}`;
}

/** Compares a record before and after a write: each changed column, then the number of unchanged ones. */
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
                <Before value={fromDifference(before[name], after[name])} most={maxCharacters} />
              </dd>
            )}
            <dd dir="auto">
              <After value={fromDifference(after[name], before?.[name])} most={maxCharacters} />
            </dd>
          </div>
        ))}
      </dl>
      {rest > 0 && before !== null && <p class="note">{words.others(shownCount(rest), rest)}</p>}
    </>
  );
}
