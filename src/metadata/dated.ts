/** What the databases know of a dataset: when it changed, and the period of its data. Pure. */
import type { Dataset, DatedDataset, Extremes } from '../model/metadata.ts';
import { utc } from './times.ts';

/**
 * The dataset with its times. It counts as modified at the latest change of the configuration, which may have changed its title.
 * @param extremesOf the extremes of a resource that everybody may see, by its id
 * @param changedAt when the configuration last changed, as `utc` writes it
 */
export function datedOf(
  dataset: Dataset,
  extremesOf: (id: string) => Extremes | undefined,
  changedAt: string,
): DatedDataset {
  const tables = dataset.tables.map((table) => {
    const change = utc(extremesOf(table.id)?.lastChange ?? '') ?? '';
    return { ...table, modified: change > changedAt ? change : changedAt };
  });
  return {
    ...dataset,
    tables,
    modified: latest([changedAt, ...tables.map(({ modified }) => modified)]),
    ...periodOf(dataset, extremesOf),
  };
}

/** The latest of some times, as `utc` writes them; the empty text for none. */
export const latest = (times: readonly string[]): string =>
  times.reduce((last, time) => (time > last ? time : last), '');

/** The period as configured, or from the least to the greatest value of its column in any table. */
function periodOf(
  { facts: { period }, tables }: Dataset,
  extremesOf: (id: string) => Extremes | undefined,
): Pick<DatedDataset, 'from' | 'to'> {
  if (period !== null && period.column === null) return { from: period.from, to: period.to };
  const extremes = tables.flatMap(({ id }) => extremesOf(id) ?? []);
  const [from = null] = extremes.flatMap(({ from }) => from ?? []).sort();
  return {
    from,
    to:
      extremes
        .flatMap(({ to }) => to ?? [])
        .sort()
        .at(-1) ?? null,
  };
}
