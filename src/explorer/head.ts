/** What search engines and previews read: the head of the explorer's page, and the sitemap. Pure. */

import { datasetOf, type PublicTable, plain, summaryOf } from '../metadata/schema-org.ts';
import { inHtml } from '../values/html.ts';
import { toJson } from '../values/json.ts';

/** The longest description, in characters: no search engine or preview shows more. */
const maxSummary = 300;

/** The head for the page of a public table. */
export function headOf(table: PublicTable): string {
  const { title, url, site, dataset, downloads } = table;
  const csv = downloads.find(({ mediaType }) => mediaType === 'text/csv');
  const alternate = (mediaType: string, at: string | undefined | null) =>
    at == null ? [] : [`<link rel="alternate" type="${mediaType}" href="${inHtml(at)}">`];
  return [
    ...preview(`${title} – ${site.title}`, title, summaryOf(table), site.title, url),
    ...alternate('text/csv', csv?.url),
    ...alternate('application/ld+json', dataset),
    `<script type="application/ld+json">${inScript(toJson(datasetOf(table)))}</script>`,
  ].join('\n');
}

/** The head for the list of tables. @param url its absolute address */
export const headOfSite = (title: string, description: string, url: string): string =>
  preview(title, title, plain(description), title, url).join('\n');

function preview(full: string, title: string, summary: string, site: string, url: string): readonly string[] {
  const text = summary.length > maxSummary ? `${summary.slice(0, maxSummary - 1).trimEnd()}…` : summary;
  const meta = (attribute: string, content: string) => `<meta ${attribute} content="${inHtml(content)}">`;
  return [
    `<title>${inHtml(full)}</title>`,
    ...(text === '' ? [] : [meta('name="description"', text), meta('property="og:description"', text)]),
    `<link rel="canonical" href="${inHtml(url)}">`,
    meta('property="og:type"', 'website'),
    meta('property="og:title"', title),
    meta('property="og:site_name"', site),
    meta('property="og:url"', url),
  ];
}

/** JSON inside a script element, where a text `</script>` would end the element. */
const inScript = (json: string): string => json.replaceAll('<', '\\u003c');

/** Search engines read at most this many addresses from one sitemap. */
const maxAddresses = 50_000;

/** A sitemap of these addresses (sitemaps.org). */
export const sitemapOf = (urls: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls.slice(0, maxAddresses).map((url) => `<url><loc>${inHtml(url)}</loc></url>`),
    '</urlset>\n',
  ].join('\n');
