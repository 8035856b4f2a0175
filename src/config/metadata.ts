/** Resolves what a resource inherits: resource > dataset > catalogue, key by key. */
import type { Metadata } from '../model/metadata.ts';
import type { Written } from './settings.ts';

/** Makes the function that resolves the metadata of a resource. */
export function metadataIn({ catalog, datasets, resources }: Written): (id: string) => Metadata {
  const datasetOf = new Map(
    Object.entries(datasets).flatMap(([name, one]) => one.resources.map((id) => [id, { ...one, name }] as const)),
  );
  const placeOf = placesIn(resources);
  return (id) => {
    const dataset = datasetOf.get(id);
    const about = resources[id]?.about;
    const inherited = <K extends keyof typeof catalog>(key: K) => about?.[key] ?? dataset?.[key] ?? catalog[key];
    return {
      dataset:
        dataset === undefined
          ? null
          : { name: dataset.name, title: dataset.title ?? dataset.name, description: dataset.description },
      group: resources[id]?.group ?? placeOf(id),
      publisher: inherited('publisher'),
      contact: inherited('contact'),
      licence: inherited('licence'),
      keywords: inherited('keywords'),
      theme: inherited('theme'),
      language: inherited('language'),
      source: inherited('source'),
      updates: inherited('updates'),
      issued: inherited('issued'),
      period: inherited('period'),
      area: inherited('area'),
    };
  };
}

/** Groups tables by database or by schema, whichever there are several of, if no resource names a group. */
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
