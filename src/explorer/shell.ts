/** The explorer's HTML: a frame without records, which the script then reads through the API with the user's token. Pure. */
import { inHtml } from '../values/html.ts';

export interface Shell {
  readonly title: string;
  /** A description of the site, in one or two sentences. */
  readonly description: string;
  /** The path where the gateway is mounted: `''` or `/data`. */
  readonly base: string;
  /** The request's language segment; null without one. */
  readonly language: string | null;
  /** Whether the site shares its origin with an upstream, whose scripts could read a stored token. */
  readonly isShared: boolean;
  /** Whether the upstream's cookies count as logins. */
  readonly takesCookies: boolean;
  /** The size limit for a request body, in bytes. */
  readonly bodyBytes: number;
  /** Whether the explorer offers to write records. */
  readonly edits: boolean;
  /** Whether the gateway serves a catalogue for harvesters. */
  readonly hasCatalog: boolean;
  /** What the map shows besides land. */
  readonly map: MapExtras;
  /** The title and the metadata for search engines, as HTML; null for only the site's title. */
  readonly head: string | null;
  /** The names of the built files that the page loads. */
  readonly files: { readonly script: string; readonly style: string; readonly icon: string };
}

/** What the map shows besides land. */
export interface MapExtras {
  /** Lines, with the explorer's files that contain them. */
  readonly layers: readonly { readonly title: string; readonly name: string }[];
  /** Images from another server; null for none. */
  readonly tiles: { readonly url: string; readonly attribution: string } | null;
}

/** The Content-Security-Policy: only our own files and the map's tiles, no inline code, and no HTML that scripts make from texts. */
const policy = (tiles: MapExtras['tiles']): string =>
  [
    "default-src 'none'",
    ...["script-src 'self'", "style-src 'self'", "connect-src 'self'"],
    `img-src 'self'${tiles === null ? '' : ` ${new URL(tiles.url).origin}`}`,
    ...["base-uri 'none'", "form-action 'self'"],
    ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
  ].join('; ');

/**
 * The headers of the page and its files.
 * @param embed the origins of the pages that may show the explorer in a frame
 * @param tiles the map's background; null for none
 */
export function pageHeaders(
  embed: readonly string[] = [],
  tiles: MapExtras['tiles'] = null,
): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': `${policy(tiles)}; frame-ancestors ${embed.length === 0 ? "'none'" : embed.join(' ')}`,
    // The address contains filters, which may be personal data: do not send it to other sites.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}

/** The page. Only its `head` differs between tables and the table list. */
export function shell({
  title,
  description,
  base,
  language,
  isShared,
  takesCookies,
  bodyBytes,
  edits,
  hasCatalog,
  map,
  head,
  files,
}: Shell): string {
  const asset = (name: string) => inHtml(`${base}/datastore/explore/-/${name}`);
  const layers = map.layers.map(({ title, name }) => ({ title, file: name }));
  const root = `${base}${language === null ? '' : `/${language}`}/datastore/explore`;
  return `<!doctype html>
<html lang="${inHtml(language?.replaceAll('_', '-') ?? 'en')}" data-base="${inHtml(base)}" data-root="${inHtml(root)}" data-title="${inHtml(title)}" data-description="${inHtml(description)}" data-language="${inHtml(language ?? '')}" data-token="${isShared ? 'memory' : 'tab'}" data-cookies="${takesCookies}" data-bytes="${bodyBytes}" data-edit="${edits}" data-catalog="${hasCatalog}" data-map="${inHtml(JSON.stringify({ ...map, layers }))}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head ?? `<title>${inHtml(title)}</title>`}
<link rel="icon" type="image/svg+xml" href="${asset(files.icon)}">
<link rel="stylesheet" href="${asset(files.style)}">
<script type="module" src="${asset(files.script)}"></script>
</head>
<body>
<div class="shell" aria-hidden="true"><div class="site"><span class="home"><svg class="icon" viewBox="0 0 16 16"><path d="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10"/></svg>${inHtml(title)}</span></div><div class="skeleton">${'<i></i>'.repeat(6)}</div></div>
<noscript>This page needs JavaScript. The data is also at ${inHtml(`${base}/api/openapi.json`)}.</noscript>
</body>
</html>
`;
}
