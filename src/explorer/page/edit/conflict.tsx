import type { Json } from '../ask/json.ts';
import { Value } from '../parts/value.tsx';
import type { Draft } from './draft.ts';
import { words } from './texts/index.ts';

export interface ConflictProps {
  readonly before: Json;
  readonly theirs: Json;
  /** Null if the user has not touched the field. */
  readonly yours: Draft | null;
  /** Drops the user's draft. */
  onTheirs(): void;
}

const maxCharacters = 300;

/** The values of a field that another user has changed while it was in the form: the user's own, the other user's, and the one before. */
export function Conflict({ before, theirs, yours, onTheirs }: ConflictProps) {
  const values: readonly (readonly [string, Json])[] = [
    ...(yours === null ? [] : [[words.yours, shownDraft(yours)] as const]),
    [words.theirs, theirs],
    [words.before, before],
  ];
  return (
    <div class="conflict">
      <dl>
        {values.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">
              <Value value={value} words={[]} most={maxCharacters} />
            </dd>
          </div>
        ))}
      </dl>
      {yours !== null && (
        <button type="button" onClick={onTheirs}>
          {words.useTheirs}
        </button>
      )}
    </div>
  );
}

function shownDraft(draft: Draft): Json {
  return draft.is === 'text' ? draft.text : draft.is === 'unreadable' ? draft.typed : null;
}
