/** Resolves what a resource inherits: resource > dataset > catalogue, key by key. */
import type { DatasetFacts, Metadata } from '../model/metadata.ts';
import type { Written } from './settings.ts';

/** Makes the function that resolves the metadata of a resource. */
export function metadataIn({ catalog, datasets, resources }: Written): (id: string) => Metadata {
  const datasetOf = new Map(
    Object.entries(datasets).flatMap(([name, one]) => one.resources.map((id) => [id, { ...one, name }] as const)),
  );
  const placeOf = placesIn(resources);
  return (id) => {
    const dataset = datasetOf.get(id) ?? null;
    return {
      dataset: dataset && {
        name: dataset.name,
        title: dataset.title ?? dataset.name,
        description: dataset.description,
      },
      group: resources[id]?.group ?? placeOf(id),
      ...inherited(resources[id]?.about ?? null, dataset, catalog),
    };
  };
}

/** For each key, the fact from the first level that has it. */
export function inherited(...levels: readonly (DatasetFacts | null)[]): DatasetFacts {
  const first = <K extends keyof DatasetFacts>(key: K): DatasetFacts[K] | null => {
    for (const level of levels) if (level !== null && level[key] !== null) return level[key];
    return null;
  };
  return {
    publisher: first('publisher'),
    contact: first('contact'),
    licence: first('licence'),
    keywords: first('keywords'),
    theme: first('theme'),
    language: first('language'),
    source: first('source'),
    updates: first('updates'),
    issued: first('issued'),
    period: first('period'),
    area: first('area'),
  };
}
/** If no resource sets `group`, groups tables by database if there are several, else by schema if there are several. */
function placesIn(resources: Written['resources']): (id: string) => string | null {
  const all = Object.values(resources);
  const databaseOf = ({ database }: (typeof all)[number]) => database;
  const schemaOf = ({ schema }: (typeof all)[number]) => schema ?? 'public';
  const place = all.some(({ group }) => group !== null)
    ? undefined
    : [databaseOf, schemaOf].find((of) => new Set(all.map(of)).size > 1);
  return (id) => {
    const resource = resources[id];
    return resource === undefined || place === undefined ? null : place(resource);
  };
}
