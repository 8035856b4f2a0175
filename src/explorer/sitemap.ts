import { inHtml } from '../values/html.ts';

/** Search engines read no more addresses of one sitemap. */
const maxAddresses = 50_000;

/** A sitemap of these addresses (sitemaps.org). Pure. */
export const sitemapOf = (urls: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls.slice(0, maxAddresses).map((url) => `<url><loc>${inHtml(url)}</loc></url>`),
    '</urlset>\n',
  ].join('\n');
