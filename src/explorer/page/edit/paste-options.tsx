import type { Table } from '../ask/table.ts';
import { Select } from '../parts/select.tsx';
import { say } from '../texts/index.ts';
import { type Notation, notations } from './notation.ts';
import type { ParsedPaste } from './paste-rows.tsx';
import { type Empty, empties } from './pasted/records.ts';
import { words } from './texts/index.ts';
import { type Method, methods } from './write.ts';

/** What to do with the rows. */
export interface WriteOptions {
  readonly method: Method;
  readonly empty: Empty;
  /** Whether the user agreed to skip columns that the table does not have. */
  readonly leavesOut: boolean;
  /** How numbers are written, if the text does not tell; null until the user has decided. */
  readonly numbers: Notation | null;
}

export const noOptions: WriteOptions = { method: 'insert', empty: 'null', leavesOut: false, numbers: null };

export interface PasteOptionsProps {
  readonly table: Table;
  readonly read: ParsedPaste;
  readonly how: WriteOptions;
  readonly isBusy: boolean;
  onHow(how: WriteOptions): void;
}

/** What is skipped, and how to write the rest. Disabled while a check runs, so that we save exactly what was checked. */
export function PasteOptions({ table, read: { pasted, mapping, notation }, how, isBusy, onHow }: PasteOptionsProps) {
  const { readOnly, unknown } = mapping;
  return (
    <>
      {readOnly.length > 0 && <p class="note">{words.readOnlyColumns(firstNames(readOnly))}</p>}
      {unknown.length > 0 && (
        <>
          <p class="wrong">{words.unknownColumns(firstNames(unknown))}</p>
          <label class="choice">
            <input
              type="checkbox"
              required
              disabled={isBusy}
              checked={how.leavesOut}
              onChange={(event) => onHow({ ...how, leavesOut: event.currentTarget.checked })}
            />
            {words.leaveOut}
          </label>
        </>
      )}
      {typeof notation === 'object' && (
        <>
          <p class="wrong">{say.ambiguousNumber(notation.readings.plain, notation.readings.local)}</p>
          <Select
            label={words.means(notation.text)}
            all={notations}
            nameOf={(one) => notation.readings[one]}
            value={how.numbers}
            isDisabled={isBusy}
            onValue={(numbers) => onHow({ ...how, numbers })}
          />
        </>
      )}
      <div class="pair">
        <Select
          label={words.method}
          all={methods}
          nameOf={(one) => words.methods[one]}
          value={how.method}
          isDisabled={isBusy || table.key.length === 0}
          onValue={(method) => onHow({ ...how, method })}
        />
        {Array.isArray(pasted.rows[0]) && (
          <Select
            label={words.emptyCells}
            all={empties}
            nameOf={(one) => words.emptyAre[one]}
            value={how.empty}
            isDisabled={isBusy}
            onValue={(empty) => onHow({ ...how, empty })}
          />
        )}
      </div>
    </>
  );
}

/** The first 20 names, with an ellipsis if there are more. */
export const firstNames = (names: readonly string[]): string =>
  [...names.slice(0, 20), ...(names.length > 20 ? ['…'] : [])].join(', ');
