import { catalogUrl, site } from '../ask/site.ts';
import { say } from '../texts/index.ts';

/** Links for programs: the API, the catalogue for harvesters, and the sitemap. */
export function Programs() {
  const catalog = [
    [catalogUrl, say.catalog],
    [`${site.base}/data.json`, 'data.json'],
  ] as const;
  const links = [
    [`${site.base}/api/openapi.json`, say.front.openApi],
    ...(site.hasCatalog ? catalog : []),
    [`${site.base}/datastore/explore/sitemap.xml`, say.front.sitemap],
  ] as const;
  return (
    <nav class="front-programs" aria-label={say.front.programs}>
      <h2>{say.front.programs}</h2>
      <ul>
        {links.map(([href, name]) => (
          <li key={href}>
            <a href={href}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
