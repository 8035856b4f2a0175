/** The names of resources and datasets in catalogues. They are derived from the site's address, so no other site has the same ones. */
import type { Identity } from '../model/metadata.ts';
import { slug } from '../values/slug.ts';
import { urlNamespace, uuid5 } from '../values/uuid5.ts';

/**
 * Makes the function that names a resource and its dataset.
 * @param url the public address of the gateway, with its base path
 * @param datasets the configured datasets, with their resources
 */
export function identitiesIn(
  url: string,
  datasets: Readonly<Record<string, { readonly resources: readonly string[] }>>,
): (id: string) => Identity {
  const listed = new Map(
    Object.entries(datasets).flatMap(([name, { resources }]) => resources.map((id) => [id, name])),
  );
  return (id) => {
    const uuid = uuid5(urlNamespace, `${url}/datastore/dump/${encodeURIComponent(id)}`);
    const name = listed.get(id) ?? ownName(id, uuid, (name) => Object.hasOwn(datasets, name));
    return { uuid, dataset: { name, uuid: uuid5(urlNamespace, `${url}/dataset/${name}`) } };
  };
}

/** The name of a resource's own dataset: its id if CKAN accepts that as a package name, else a slug of the id and part of the UUID. */
function ownName(id: string, uuid: string, isTaken: (name: string) => boolean): string {
  if (/^[a-z0-9_-]{2,100}$/.test(id) && !isTaken(id)) return id;
  return `${slug(id) || 'table'}-${uuid.slice(0, 8)}`;
}
