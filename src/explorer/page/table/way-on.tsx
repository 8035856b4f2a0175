/** Buttons below the grid's error that may solve it: fewer columns, another order, or the whole table. */
import { useState } from 'preact/hooks';
import { call, type Refused } from '../ask/call.ts';
import type { Column } from '../ask/columns.ts';
import { list, object, textOf } from '../ask/json.ts';
import { paramsOf, type Question } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import { isTooLarge } from '../parts/trouble.tsx';
import { say } from '../texts/index.ts';

export interface WayOnProps {
  readonly error: Refused;
  readonly table: Table;
  readonly question: Question;
  onChange(part: Partial<Question>): void;
}

export function WayOn({ error, table, question, onChange }: WayOnProps) {
  const [isBusy, setBusy] = useState(false);
  if (error.status !== 409) return null;
  const { q, sort } = question;
  const isWhole = Object.keys(paramsOf('', question)).length === 1;
  const leaveOutLong = async () => {
    setBusy(true);
    onChange({ fields: await shortColumns(table, question) });
    setBusy(false);
  };
  return (
    <>
      {isTooLarge(error) && (
        <button type="button" disabled={isBusy} onClick={leaveOutLong}>
          {say.errors.leaveOutLong}
        </button>
      )}
      {q !== '' && sort.length === 0 && table.key.length > 0 && (
        <button
          type="button"
          onClick={() => onChange({ sort: table.key.map((field) => ({ field, isDescending: false })) })}
        >
          {say.errors.keyOrder}
        </button>
      )}
      {!isWhole && (
        <button type="button" onClick={() => onChange({ q: '', conditions: [], sort: [], fields: null, passed: {} })}>
          {say.errors.wholeTable}
        </button>
      )}
    </>
  );
}

/** Values up to this length are short enough to load a hundred of them. */
const mostCharacters = 10_000;

/** The columns with a short value in the first record. If all are short, or the record cannot be read, the columns whose type is always short. */
async function shortColumns(table: Table, question: Question): Promise<readonly string[]> {
  const shown = table.columns.filter(({ name }) => question.fields?.includes(name) ?? true);
  const names = (columns: readonly Column[]) => columns.map(({ name }) => name);
  const { signal } = new AbortController();
  const request = { ...paramsOf(table.id, question), limit: 1, include_total: false };
  const answer = await call('datastore_search', request, { signal }).catch(() => null);
  const record = object(list(answer?.result.records)[0]);
  const short = shown.filter(({ name }) => (textOf(record[name] ?? null) ?? '').length <= mostCharacters);
  if (answer !== null && short.length > 0 && short.length < shown.length) return names(short);
  const bounded = names(shown.filter(({ kind }) => kind !== 'text' && kind !== 'other'));
  return bounded.length > 0 ? bounded : table.key.length > 0 ? table.key : names(shown.slice(0, 1));
}
