/** What the user has typed into a record's form, and the steps that write it: a dry run, then the write. */
import { useState } from 'preact/hooks';
import type { JsonObject } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import { setUnsaved, useUnsaved } from '../parts/unsaved.ts';
import type { Drafts } from './draft.ts';
import type { Field } from './fields.ts';
import { canUndo, keepSave } from './last-save.ts';
import { checkedValues, type Tried, writeTried } from './record-write.ts';
import { useSteps } from './steps.ts';
import { readUnchanged, write } from './write.ts';

export interface WrittenRecord {
  readonly table: Table;
  /** The record as the panel shows it; null for a new one. */
  readonly record: JsonObject | null;
  readonly fields: readonly Field[];
  onSaved(record: JsonObject | null): void;
}

/** The form's state. `submit` runs the next step; `change` goes back from the preview to the fields. */
export function useRecordWrite({ table, record, fields, onSaved }: WrittenRecord) {
  const [base, setBase] = useState(record);
  /** The record before another user changed it, until the next check passes. */
  const [older, setOlder] = useState<JsonObject | null>(null);
  const [drafts, setDrafts] = useState<Drafts>(new Map());
  const [tried, setTried] = useState<Tried | null>(null);
  const { isBusy, wrong, run } = useSteps(() => setTried(null));
  useUnsaved(drafts.size > 0);
  const follow = (now: JsonObject) => {
    setOlder(base);
    setBase(now);
  };
  const check = async (signal: AbortSignal) => {
    const values = checkedValues(base, drafts, fields);
    const before = base === null ? null : await readUnchanged(table, base, follow, signal);
    setOlder(null);
    setTried({ values, before, after: await write(table, before, values, { isDry: true, signal }) });
  };
  const save = async (reviewed: Tried, signal: AbortSignal) => {
    if (reviewed.before !== null) await readUnchanged(table, reviewed.before, follow, signal);
    const saved = await writeTried(table, reviewed, fields, signal);
    setUnsaved(false);
    const changes = saved !== null && canUndo(table, fields) ? [{ before: reviewed.before, after: saved }] : null;
    keepSave(changes && { kind: 'save', table, changes });
    onSaved(saved);
  };
  const submit = () => run((signal) => (tried === null ? check(signal) : save(tried, signal)));
  const change = () => setTried(null);
  return { base, older, drafts, tried, isBusy, wrong, setDrafts, change, submit };
}
