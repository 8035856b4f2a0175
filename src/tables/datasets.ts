/** The catalogue's datasets. Harvesters copy them into public places, so they contain only public tables, whatever the caller may read. */
import type { Settings } from '../config/assemble.ts';
import { inherited } from '../config/metadata.ts';
import type { Dataset, DatasetTable } from '../model/metadata.ts';
import type { Resolved } from './served.ts';

/** Whether everybody may read the resource, though maybe not all of its rows. */
export const isPublic = ({ access }: Pick<Resolved, 'access'>): boolean => access.read === 'public';

/** The datasets with public tables, by name. */
export function datasetsOf(settings: Settings, resources: readonly Resolved[]): readonly Dataset[] {
  const tables = new Map<string, Resolved[]>();
  for (const resource of resources.filter(isPublic)) {
    const { name } = resource.settings.identity.dataset;
    const others = tables.get(name);
    if (others === undefined) tables.set(name, [resource]);
    else others.push(resource);
  }
  return [...tables]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, [first, ...others]]) => (first === undefined ? [] : [datasetOf(settings, name, first, others)]));
}

/** A dataset, with its tables in the configured order. */
function datasetOf(settings: Settings, name: string, first: Resolved, others: readonly Resolved[]): Dataset {
  const { title, description, metadata, identity } = first.settings;
  const configured = metadata.dataset === null ? undefined : settings.datasets[metadata.dataset.name];
  const placeOf = ({ id }: Resolved) => configured?.resources.indexOf(id) ?? 0;
  return {
    ...{ name, uuid: identity.dataset.uuid, title, description },
    ...metadata.dataset,
    facts: configured === undefined ? metadata : inherited(configured, settings.catalog),
    tables: [first, ...others].sort((a, b) => placeOf(a) - placeOf(b)).map(tableOf),
  };
}

function tableOf({ id, settings, table }: Resolved): DatasetTable {
  const { identity, title, description, metadata } = settings;
  const hasPlaces = typeof table === 'object' && table.about.roles.coordinates !== null;
  return { id, uuid: identity.uuid, title, description, licence: metadata.licence, hasPlaces };
}
