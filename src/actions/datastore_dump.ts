import { Refusal } from '../model/errors.ts';
import { type Caller, type DumpFormat, dumpFormats, type Resource } from '../model/http.ts';
import { isRank, type Read } from '../model/plan.ts';
import type { Json } from '../model/value.ts';
import type { Bounds, Parameter } from './action.ts';
import { datastore_search } from './datastore_search.ts';
import { Params } from './params.ts';
import { coordinates } from './query/coordinates.ts';

/** The parsed request of a download (docs/ckan-compatibility.md, Downloads). */
export interface DumpCall {
  readonly format: DumpFormat;
  readonly bom: boolean;
  /** Throws a 400 for errors that only the table shows. */
  plan(resource: Resource, caller: Caller | null): Read;
}

/** The parameters that downloads share with searches. */
const sharedParameters = datastore_search.parameters.filter(({ name }) =>
  ['filters', 'q', 'full_text', 'plain', 'language', 'distinct', 'fields', 'sort', 'limit', 'offset'].includes(name),
);

export const dumpParameters: readonly Parameter[] = [
  {
    name: 'format',
    type: { words: dumpFormats },
    default: 'csv',
    help: 'What the file is; `jsonl` is an object per line.',
  },
  {
    name: 'geometry',
    type: 'columns',
    help: 'For `geojson`: longitude and latitude (WGS 84). Absent: those of `resources.*.coordinates`.',
  },
  {
    name: 'bom',
    type: 'flag',
    default: false,
    help: 'Whether a byte order mark comes before csv, tsv and xml.',
  },
  ...sharedParameters.map((one) =>
    one.name === 'limit' ? { name: one.name, type: one.type, help: 'At most so many records.' } : one,
  ),
];

/**
 * Reads the query of a download. Of a repeated parameter, the first value counts; empty and unknown parameters are ignored.
 * Throws a 400 that names every bad parameter at once.
 */
export function datastoreDump(
  id: string,
  query: readonly (readonly [name: string, value: string])[],
  bounds: Bounds,
): DumpCall {
  const firsts = Object.entries(Object.fromEntries([...query].reverse()));
  const given: Record<string, Json> = Object.fromEntries(firsts.filter(([, value]) => value !== ''));
  const searchParameters = Object.entries(given).filter(([name]) =>
    sharedParameters.some((parameter) => parameter.name === name),
  );
  return asBadRequest(() => {
    const params = new Params(given);
    const format = params.word('format', dumpFormats, 'csv');
    const bom = params.boolean('bom', false);
    const geometry = params.names('geometry');
    if (geometry !== undefined && geometry.length !== 2)
      params.complain('geometry', `must be two names, LON,LAT, got: ${geometry.length}`);
    params.check();
    const unlimited = { rowsDefault: Number.MAX_SAFE_INTEGER, rowsMax: Number.MAX_SAFE_INTEGER };
    const search = datastore_search.start(
      { ...Object.fromEntries(searchParameters), resource_id: id, include_total: false },
      { ...bounds, ...unlimited },
    );
    return {
      format,
      bom,
      plan: (resource, caller) =>
        asBadRequest(() => {
          const plan = search.plan(resource, caller);
          if (!('effect' in plan) || plan.effect !== 'read') throw new TypeError('a search only reads');
          // Without `sort`, searches are ordered by rank, but downloads by key: remove the ranks.
          const sort = given.sort === undefined ? plan.sort.filter(({ by }) => !isRank(by)) : plan.sort;
          // GeoJSON takes the geometry from the last two columns.
          const points = format === 'geojson' ? coordinates(geometry, resource.table) : [];
          return { ...plan, sort, columns: [...plan.columns, ...points] };
        }),
    };
  });
}

/** Turns a 409 of a search into a 400: CKAN's download URL is a web page and not an API action, so its errors are 400s. */
function asBadRequest<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'invalid')) throw error;
    throw new Refusal('parameters', error.details, error);
  }
}
