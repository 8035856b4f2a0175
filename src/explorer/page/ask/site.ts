/** Settings of the site, which the server writes into `data-` attributes of the HTML. */
const {
  base = '',
  root = '',
  title = '',
  description = '',
  language = '',
  token = 'tab',
  cookies,
  bytes,
  edit,
  catalog,
  map = '{"layers":[],"tiles":null}',
} = document.documentElement.dataset;

interface MapExtras {
  /** Lines, and the files that have them. */
  readonly layers: readonly { readonly title: string; readonly file: string }[];
  /** Images of another server. */
  readonly tiles: { readonly url: string; readonly attribution: string } | null;
}
const extras: MapExtras = JSON.parse(map);

export const site = {
  /** The path where the gateway is mounted. */
  base,
  /** The path of the list of tables. */
  root,
  title,
  /** What the site is, in one or two sentences; '' if it does not say. */
  description,
  /** The language segment of the address, such as `/en`. */
  language,
  /** `memory` behind an upstream: its scripts share our origin and could read a token from the tab's storage. */
  keeps: token,
  /** Whether a login at the application behind the gateway is one here, too. */
  takesCookies: cookies === 'true',
  /** The size limit of one call in bytes. */
  mostBytes: Number(bytes),
  /** Whether the page offers to write. */
  edits: edit === 'true',
  /** Whether the gateway serves a catalogue for harvesters. */
  hasCatalog: catalog === 'true',
  /** In a frame another site could lay something over the page (clickjacking). So the page takes no token there, and cannot write. */
  isFramed: self !== top,
  /** What the map shows besides land. */
  map: extras,
} as const;

export const tableUrl = (id: string): string => `${site.root}/${encodeURIComponent(id)}`;
export const catalogUrl = `${site.base}/catalog.jsonld`;
export const actionUrl = (name: string): string => `${site.base}/api/3/action/${name}`;
export const dumpUrl = (id: string): string => `${site.base}/datastore/dump/${encodeURIComponent(id)}`;
export const openApiUrl = (id: string): string => `${site.base}/api/openapi.json?resource_id=${encodeURIComponent(id)}`;
