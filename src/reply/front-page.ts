/** Pages without scripts: the front page with links to the data, and the "not found" page. */
import { createHash } from 'node:crypto';
import type { Reply } from '../model/http.ts';
import { version } from '../model/version.ts';
import { inHtml } from '../values/html.ts';

export interface Overview {
  readonly title: string;
  /** The path where the gateway is mounted: `''` or `/data`. */
  readonly path: string;
  /** The CKAN version that the gateway is compatible with. */
  readonly compat: string;
  readonly resources: readonly { readonly id: string; readonly title: string }[];
  /** The number of resources that are not listed. */
  readonly more: number;
}

const style = `:root{color-scheme:light dark}
body{max-width:45rem;margin:auto;padding:1rem;font:1rem/1.5 system-ui,sans-serif}
h1,h2{line-height:1.2;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:0}
ul{list-style:none;padding:0}
li{padding:.7rem 0;border-top:1px solid #8888}
code{overflow-wrap:anywhere}
nav a{display:inline-block;padding:.3rem .8rem .3rem 0}
footer{border-top:1px solid #8888;padding-top:.7rem}`;

/** Allows no scripts, no external content and no frames, so that a title can do no harm even if we failed to escape it. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type Page = Pick<Reply, 'headers'> & { body: string };

/** The front page. Its links have no host, so they work under every host name that the gateway has. */
export function frontPage({ title, path, compat, resources, more }: Overview): Page {
  const api = `${path}/api`;
  const listed = resources.map(({ id, title }) => {
    const search = `${api}/3/action/datastore_search?resource_id=${encodeURIComponent(id)}&limit=5`;
    const dump = (format: string) => `${path}/datastore/dump/${encodeURIComponent(id)}?format=${format}`;
    return `<li>
<h2 dir="auto">${inHtml(title)}</h2>
<code>${inHtml(id)}</code>
<nav>${link(search, 'first records')} ${link(dump('csv'), 'all as CSV')} ${link(dump('json'), 'all as JSON')}</nav>
</li>
`;
  });
  return page(
    title,
    `<main>
<h1 dir="auto">${inHtml(title)}</h1>
<p>${resources.length === 0 ? 'Nothing here can be read without a token.' : 'These tables can be read here. Others may need a token.'}</p>
<ul>
${listed.join('')}</ul>
${more === 0 ? '' : `<p>… and ${more} more.</p>\n`}</main>
<footer>
<p>Programs read and write them by CKAN’s DataStore API: ${link(`${api}/openapi.json`, 'its OpenAPI document')}.</p>
<p>datastore-gateway ${version}, answers like CKAN ${inHtml(compat)}</p>
</footer>`,
  );
}

/**
 * The "not found" page.
 * @param reason the error message that the API would send
 * @param home the path of the table list
 */
export const missingPage = (title: string, reason: string, home: string): Page =>
  page(
    title,
    `<main>
<h1 dir="auto">${inHtml(title)}</h1>
<p dir="auto">${inHtml(reason)}</p>
<p>${link(home, 'All tables')}</p>
</main>`,
  );

function page(title: string, content: string): Page {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${inHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${content}
</body>
</html>
`;
  return { headers: { 'Content-Type': 'text/html;charset=utf-8', 'Content-Security-Policy': policy }, body };
}

const link = (to: string, text: string): string => `<a href="${inHtml(to)}">${text}</a>`;
