/** The site's settings, which the server writes into the HTML's `data-` attributes. */
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
  /** Map layers: the title of each, and the file with its lines. */
  readonly layers: readonly { readonly title: string; readonly file: string }[];
  /** Map images from another server. */
  readonly tiles: { readonly url: string; readonly attribution: string } | null;
}
const extras: MapExtras = JSON.parse(map);

export const site = {
  /** The path where the gateway is mounted. */
  base,
  /** The path of the table list. */
  root,
  title,
  /** A description of the site, in one or two sentences; '' if it has none. */
  description,
  /** The address's language segment, such as `/en`. */
  language,
  /** `memory` behind an upstream: the upstream's scripts share our origin, and could read a token from the tab's storage. */
  keeps: token,
  /** Whether a login at the application behind the gateway also counts here. */
  takesCookies: cookies === 'true',
  /** The size limit for one call, in bytes. */
  mostBytes: Number(bytes),
  /** Whether the page offers editing. */
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
