import { useEffect, useState } from 'preact/hooks';
import { call } from '../ask/call.ts';
import { fewAtOnce } from '../ask/few-at-once.ts';
import { count, type JsonObject } from '../ask/json.ts';
import { otherTable } from '../ask/other-table.ts';
import { filtersFrom, recordsUrl } from '../ask/references.ts';
import type { Reference } from '../ask/table.ts';
import { Name } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';

interface ReferringProps {
  readonly referencedBy: readonly Reference[];
  readonly record: JsonObject;
}

/** The records in other tables that refer to this one, as links to those tables. */
export function Referring({ referencedBy, record }: ReferringProps) {
  const groups = referencedBy.flatMap((reference) => {
    const filters = filtersFrom(reference, record);
    return filters === null ? [] : [{ reference, filters }];
  });
  const counts = useCounts(groups);
  if (groups.length === 0) return null;
  return (
    <section class="referring">
      <h3>{say.referring}</h3>
      <ul>
        {groups.map(({ reference: { resource, title, fields }, filters }, at) => (
          <li key={`${resource} ${fields}`}>
            <a href={recordsUrl(resource, filters)} data-inside="">
              <span dir="auto">
                <Name of={title} />
              </span>
              <small dir="auto">{say.byColumn(fields.join(', '))}</small>
            </a>
            <span class="soft">{counts[at]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Group {
  readonly reference: Reference;
  readonly filters: JsonObject;
}

/** Counts the records of each group, a few at once. Without an index a count reads the whole table, so the user has to ask for it. */
function useCounts(groups: readonly Group[]): readonly (string | undefined)[] {
  const [counted, setCounted] = useState<readonly (string | undefined)[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    void fewAtOnce([...groups.entries()], stop.signal, async ([at, { reference, filters }]) => {
      const found = await countIn(reference, filters, stop.signal).catch(() => undefined);
      if (!stop.signal.aborted) setCounted((now) => Object.assign([...now], { [at]: found }));
    });
    return () => stop.abort();
  }, []);
  return counted;
}

async function countIn({ resource, fields }: Reference, filters: JsonObject, signal: AbortSignal): Promise<string> {
  const { indexed } = await otherTable(resource);
  const isFast = fields.some((field) => indexed.has(field));
  return isFast ? countOf(resource, filters, signal).catch(() => say.show) : say.show;
}

async function countOf(resource: string, filters: JsonObject, signal: AbortSignal): Promise<string> {
  const { result } = await call('datastore_search', { resource_id: resource, filters, limit: 0 }, { signal });
  const total = count(result.total);
  const shown = shownCount(total);
  if (result.total_was_estimated !== true) return shown;
  return result.total_at_least === true ? say.moreThan(shownCount(total - 1)) : say.about(shown);
}
