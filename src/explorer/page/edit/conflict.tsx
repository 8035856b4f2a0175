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

/** What became of a field that somebody else has changed while it was in the form: yours, theirs, and before. */
export function Conflict({ before, theirs, yours, onTheirs }: ConflictProps) {
  return (
    <div class="conflict">
      <dl>
        {yours !== null && (
          <div>
            <dt>{words.yours}</dt>
            <dd dir="auto">
              <Value value={shownDraft(yours)} words={[]} most={maxCharacters} />
            </dd>
          </div>
        )}
        <div>
          <dt>{words.theirs}</dt>
          <dd dir="auto">
            <Value value={theirs} words={[]} most={maxCharacters} />
          </dd>
        </div>
        <div>
          <dt>{words.before}</dt>
          <dd dir="auto">
            <Value value={before} words={[]} most={maxCharacters} />
          </dd>
        </div>
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
