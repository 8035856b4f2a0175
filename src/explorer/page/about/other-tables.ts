import { useEffect, useState } from 'preact/hooks';
import { fewAtOnce } from '../ask/few-at-once.ts';
import { otherTable } from '../ask/other-table.ts';
import type { Table } from '../ask/table.ts';

/** The titles of tables, by their ids; empty at first. */
export type Titles = ReadonlyMap<string, string>;

/** Reads the titles of the tables that go with this one. Until then, and after an error, their ids stand for them. */
export function useOtherTables({ references, referencedBy }: Table): Titles {
  const [titles, setTitles] = useState<Titles>(new Map());
  const ids = [...new Set([...references, ...referencedBy].map(({ resource }) => resource))];
  useEffect(() => {
    const stop = new AbortController();
    void fewAtOnce(ids, stop.signal, async (id) => {
      const other = await otherTable(id).catch(() => null);
      if (other !== null && !stop.signal.aborted) setTitles((now) => new Map([...now, [id, other.title]]));
    });
    return () => stop.abort();
  }, [ids.join('\n')]);
  return titles;
}
