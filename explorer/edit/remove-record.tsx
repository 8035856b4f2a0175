/** One record to be deleted: it is read again, and shown if it is not what was shown. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../ask/json.ts';
import type { Table } from '../table-view.tsx';
import { say } from '../texts/index.ts';
import { differences } from './draft.ts';
import { Review } from './review.tsx';
import { onlyOnce, useSteps } from './steps.ts';
import { words } from './texts/index.ts';
import { readUnchanged, remove } from './write.ts';

export interface RemoveRecordProps {
  readonly table: Table;
  /** The record as it was shown. */
  readonly record: JsonObject;
  onRemoved(): void;
  onCancel(): void;
}

export function RemoveRecord({ table, record, onRemoved, onCancel }: RemoveRecordProps) {
  const [base, setBase] = useState(record);
  const { isBusy, wrong, run } = useSteps(() => undefined);
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const isOther = differences(record, base, table.columns).length > 0;
  return (
    <section class="edit sure" aria-label={words.remove} aria-busy={isBusy}>
      <p>{words.removeThis}</p>
      <div role="alert">
        {wrong !== null && <p class="wrong">{wrong.text}</p>}
        {isOther && <Review columns={table.columns} before={record} after={base} sent={base} />}
      </div>
      <div class="row">
        <button ref={first} type="button" onClick={onCancel}>
          {words.cancel}
        </button>
        <button
          type="button"
          class="danger"
          onClick={(event) =>
            onlyOnce(event) &&
            run(async (signal) => {
              await readUnchanged(table, base, setBase, signal);
              await remove(table, base, signal);
              onRemoved();
            })
          }
        >
          {say.remove}
        </button>
      </div>
    </section>
  );
}
