import { useEffect, useState } from 'preact/hooks';
import { otherTable } from '../ask/other-table.ts';
import type { Table } from '../ask/table.ts';

/** The titles of tables, by their ids; empty at first. */
export type Titles = ReadonlyMap<string, string>;

/** Reads the titles of the tables that go with this one. Until then, and after an error, their ids stand for them. */
export function useOtherTables({ references, referencedBy }: Table): Titles {
  const [titles, setTitles] = useState<Titles>(new Map());
  const ids = [...new Set([...references, ...referencedBy].map(({ resource }) => resource))];
  useEffect(() => {
    for (const id of ids)
      otherTable(id).then(
        ({ title }) => setTitles((now) => new Map([...now, [id, title]])),
        () => undefined,
      );
  }, [ids.join('\n')]);
  return titles;
}
