/** What search engines and previews read in the head of the explorer's page. Pure. */
import { inHtml } from '../values/html.ts';
import { toJson } from '../values/json.ts';
import { datasetOf, type PublicTable, plain, summaryOf } from './json-ld.ts';

/** Characters of a description: no search engine or preview shows more. */
const maxSummary = 300;

/** The head for the page of a public table. */
export function headOf(table: PublicTable): string {
  const { title, url, site, downloads } = table;
  const csv = downloads.find(({ mediaType }) => mediaType === 'text/csv');
  return [
    ...preview(`${title} – ${site.title}`, title, summaryOf(table), site.title, url),
    ...(csv === undefined ? [] : [`<link rel="alternate" type="text/csv" href="${inHtml(csv.url)}">`]),
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

/** JSON inside a script element: a text `</script>` would end it. */
const inScript = (json: string): string => json.replaceAll('<', '\\u003c');
