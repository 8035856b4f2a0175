/** Deletes records in two steps. First it reads them again, tries the delete and shows what would go; then it deletes all or none. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import { say, shownCount } from '../texts/index.ts';
import { differences } from './draft.ts';
import { byKey, keyText } from './keys.ts';
import { canRestore, keepSave } from './last-save.ts';
import { Preview } from './preview.tsx';
import { Review } from './review.tsx';
import { onlyOnce, useSteps } from './steps.ts';
import { words } from './texts/index.ts';
import { loadWritable, readAll, remove } from './write.ts';
import { complaint } from './write-error.ts';
import { Wrong } from './wrong.tsx';

export interface RemovalProps {
  readonly table: Table;
  /** For each record, the filters that find it by its key. */
  readonly keys: readonly JsonObject[];
  /** The records if they are already shown beside this form; null if they are not shown in full. */
  readonly shown: readonly JsonObject[] | null;
  onRemoved(): void;
  onCancel(): void;
}

/** The records as they were first read, and as they were read last. */
interface Found {
  readonly first: readonly JsonObject[];
  readonly now: readonly JsonObject[];
  /** Whether a dry run has deleted the records in `now`. */
  readonly isTried: boolean;
  /** Whether the deleted records can be restored. */
  readonly canUndo: boolean;
}

export function Removal({ table, keys, shown, onRemoved, onCancel }: RemovalProps) {
  const [found, setFound] = useState<Found | null>(
    shown && { first: shown, now: shown, isTried: false, canUndo: false },
  );
  const { isBusy, wrong, run } = useSteps(() => undefined);
  const cancel = useRef<HTMLButtonElement>(null);
  const step = async (signal: AbortSignal) => {
    const now = await readAll(table, keys, signal);
    const isOther = found !== null && changesIn(table, found.now, now) > 0;
    if (found?.isTried && !isOther) {
      await remove(table, now, { isDry: false, signal });
      keepSave(
        found.canUndo ? { kind: 'remove', table, changes: now.map((before) => ({ before, after: null })) } : null,
      );
      return onRemoved();
    }
    const { fields } = await loadWritable(table, signal);
    const next = { first: found?.first ?? now, now, isTried: false, canUndo: canRestore(table, fields) };
    setFound(next);
    if (now.length === 0) throw complaint(say.gone);
    if (isOther) throw complaint(words.checkAgain);
    await remove(table, now, { isDry: true, signal });
    setFound({ ...next, isTried: true });
  };
  useEffect(() => {
    cancel.current?.focus();
    run(step);
  }, []);
  const { first = [], now = [], isTried = false, canUndo = false } = found ?? {};
  const gone = first.length - now.length;
  const all = words.rows(shownCount(now.length), now.length);
  return (
    <section class="edit sure" aria-label={shown === null ? undefined : words.remove} aria-busy={isBusy}>
      <p role="status">
        {isTried
          ? `${words.removeSure(all, now.length)} ${canUndo ? words.canBeUndone : words.cannotBeUndone}`
          : isBusy && words.trying}
      </p>
      <div role="alert">
        {wrong !== null && <Wrong {...wrong} />}
        {gone > 0 && now.length > 0 && <p class="wrong">{words.gone(words.rows(shownCount(gone), gone))}</p>}
      </div>
      {now.length > 0 && <Records {...{ table, now }} first={first} isBeside={shown !== null} />}
      <div class="row">
        <button ref={cancel} type="button" onClick={onCancel}>
          {words.cancel}
        </button>
        <button type="button" class={isTried ? 'danger' : ''} onClick={(event) => onlyOnce(event) && run(step)}>
          {isTried ? words.removeAll(all, now.length) : words.check}
        </button>
      </div>
    </section>
  );
}

interface RecordsProps extends Pick<Found, 'first' | 'now'> {
  readonly table: Table;
  /** Whether the full record is shown beside this component, which then shows only its changes. */
  readonly isBeside: boolean;
}

function Records({ table, first, now, isBeside }: RecordsProps) {
  const before = byKey(table, first);
  const pairs = now.map((after) => ({ before: before.get(keyText(table, after)) ?? null, after }));
  const [one] = pairs;
  if (!isBeside) return <Preview label={say.records} columns={table.columns} pairs={pairs} from={0} wrong={[]} />;
  if (one === undefined || one.before === null || changesIn(table, first, now) === 0) return null;
  return <Review columns={table.columns} before={one.before} after={one.after} sent={one.after} />;
}

/** How many records were added, deleted or changed between two reads. */
function changesIn(table: Table, one: readonly JsonObject[], other: readonly JsonObject[]): number {
  const others = byKey(table, other);
  const same = one.filter((record) => {
    const now = others.get(keyText(table, record));
    return now !== undefined && differences(record, now, table.columns).length === 0;
  });
  return Math.max(one.length, other.length) - same.length;
}
