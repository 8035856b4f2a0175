/** The records that match a search, and their number. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Answer, call, type Refused } from '../ask/call.ts';
import type { Early } from '../ask/early.ts';
import { count, type JsonObject } from '../ask/json.ts';
import { type Ask, Pages } from '../ask/pages.ts';
import { isDistinct, paramsOf, type Question } from '../ask/question.ts';
import { withKey } from '../ask/row-filters.ts';
import type { Table, Total } from '../ask/table.ts';
import { say, shownCount } from '../texts/index.ts';
import { useLoaded, useRedraw } from './hooks.ts';

interface Shown {
  readonly pages: Pages;
  /** The `key` of the search that these records belong to. */
  readonly key: string;
}

export interface Search {
  readonly pages: Pages;
  /** The records to show: the previous search's, until the first ones of the new search arrive. */
  readonly shown: Shown;
  /** Identifies the matching records. Their order and the visible columns are not part of it. */
  readonly key: string;
  /** Changes when the records are read again; '' before that. */
  readonly version: string;
  /** Whether the user has asked for values that bypass the gateway's cache. */
  readonly isFresh: boolean;
  /** The number of shown records; null until they are counted. */
  readonly total: Total | null;
  /** The number of records, as text. */
  readonly says: string;
  /** Loads the records again, bypassing the cache. */
  onReload(): void;
  /** Loads the records again after a write. */
  onWritten(): void;
}

/** @param early the answer to the first request, if that was sent in advance */
export function useSearch(table: Table, question: Question, early: Early): Search {
  const [reads, setReads] = useState(0);
  const [writes, setWrites] = useState(0);
  const redraw = useRedraw();
  const before = useRef<Shown | null>(null);
  const params = paramsOf(table.id, question);
  const isFresh = reads > 0;
  const ask: Ask = (more, signal) => call('datastore_search', more, { signal, fresh: isFresh });
  const pages = useMemo(() => {
    const { key } = table;
    const askPage: Ask = (more, signal) => early(more, signal) ?? ask(more, signal);
    // Always request the key columns: without them, a row cannot be opened.
    const fields = question.fields === null ? withKey(table) : { fields: [...new Set([...question.fields, ...key])] };
    return new Pages(askPage, { ...params, ...fields }, key.length > 0, redraw, before.current?.pages);
  }, [JSON.stringify([params, reads, writes])]);
  useEffect(() => {
    pages.load(0, 0);
    return () => pages.stop();
  }, [pages]);
  const countedParams = withoutOrder(params, question);
  const key = JSON.stringify([countedParams, reads, writes]);
  const { total, error } = useTotal(pages, key, (signal) => ask({ ...countedParams, limit: 0 }, signal));
  const version = reads + writes === 0 ? '' : `${reads} ${writes}`;
  const all = useAll(table, question, pages.first !== null && total !== null, version, ask);
  if (pages.isReady) before.current = { pages, key };
  const isUnderWay = error === null && pages.error === null;
  const waiting = before.current === null ? say.loading : say.counting;
  return {
    pages,
    shown: before.current ?? { pages, key },
    key,
    version,
    isFresh,
    total,
    says: total !== null ? countInWords(total, pages.loadedRows, all) : isUnderWay ? waiting : '',
    onReload: () => setReads(reads + 1),
    onWritten: () => setWrites(writes + 1),
  };
}

/** The parameters that affect which records match. With `distinct`, the columns do, too. */
function withoutOrder({ sort: _, fields = [], ...params }: JsonObject, question: Question): JsonObject {
  return isDistinct(question) ? { ...params, fields } : params;
}

/** Counts a search's records. Until its first records arrive, this is still the previous search's total. */
function useTotal(
  pages: Pages,
  key: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
): { readonly total: Total | null; readonly error: Refused | null } {
  const before = useRef<Total | null>(null);
  /** The search whose records are counted. Counting starts only once its first records have arrived, so as not to slow them down. */
  const counts = useRef('');
  if (pages.first !== null && pages.total === null) counts.current = key;
  const { data: counted, error } = useLoaded(counts.current === key ? key : null, async (signal) => {
    const { result } = await ask(signal);
    return { of: key, total: totalIn(result) };
  });
  if (pages.total !== null) before.current = { count: pages.total, is: 'exact' };
  else if (pages.first !== null) before.current = counted?.of === key ? counted.total : null;
  return { total: before.current, error };
}

/**
 * The number of all records in the table; null if the search has no words and no filters. They are counted once in each version, after
 * the records of the first search that needs their number.
 */
function useAll(table: Table, question: Question, isCounted: boolean, version: string, ask: Ask): Total | null {
  const { q, conditions, passed } = question;
  const isNarrowed = !isDistinct(question) && (q !== '' || conditions.length > 0 || passed.full_text !== undefined);
  const due = useRef<string | null>(null);
  if (isNarrowed && isCounted) due.current = version;
  const { data } = useLoaded(due.current === version ? version : null, async (signal) =>
    totalIn((await ask({ resource_id: table.id, limit: 0 }, signal)).result),
  );
  return isNarrowed ? data : null;
}

function totalIn(result: JsonObject): Total {
  const is = result.total_was_estimated !== true ? 'exact' : result.total_at_least === true ? 'at least' : 'estimated';
  return { count: count(result.total), is };
}

/** @param read the number of loaded records, which may be more than a total of the kind `at least` */
function countInWords(total: Total, read: number, all: Total | null): string {
  const least = (one: Total) => (one.is === 'at least' ? Math.max(read, one.count - 1) : one.count);
  const inWords = ({ is }: Total, words: string) =>
    is === 'exact' ? words : is === 'estimated' ? say.about(words) : say.moreThan(words);
  const n = least(total);
  if (all === null) return inWords(total, say.count(shownCount(n), n));
  return inWords(total, say.countOf(shownCount(n), inWords(all, shownCount(least(all))), all.count));
}
