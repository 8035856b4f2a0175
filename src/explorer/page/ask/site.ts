/** What the HTML says of the site. */
const {
  base = '',
  root = '',
  title = '',
  language = '',
  token = 'tab',
  bytes,
  edit,
} = document.documentElement.dataset;

export const site = {
  /** The path where the gateway is mounted. */
  base,
  /** The path of the list of tables. */
  root,
  title,
  /** The language segment of the address. */
  language,
  /** Where a token is kept: with an upstream in memory only, since its scripts share our origin. */
  keeps: token,
  /** The bytes that the gateway takes in one call. */
  mostBytes: Number(bytes),
  /** Whether the page offers to write. */
  edits: edit === 'true',
  /** In a page of another site, which could lay something over it: there it takes no token, and so writes nothing. */
  isFramed: self !== top,
} as const;

export const tableUrl = (id: string): string => `${site.root}/${encodeURIComponent(id)}`;
export const actionUrl = (name: string): string => `${site.base}/api/3/action/${name}`;
export const dumpUrl = (id: string): string => `${site.base}/datastore/dump/${encodeURIComponent(id)}`;
export const openApiUrl = (id: string): string => `${site.base}/api/openapi.json?resource_id=${encodeURIComponent(id)}`;
