/** The docs as a site: `npm run docs`. Its pages are the Markdown files of the repository as they are. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { linkFiles } from './files.ts';

const root = resolve(import.meta.dirname, '../../..');
const { name, description } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA, DOCS_BASE } = process.env;
/** Null where the repository has no public address. */
const repository = GITHUB_REPOSITORY === undefined ? null : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;

/** README's lists of pages are the sidebar, so that a new page needs no second entry. */
function sidebar(): DefaultTheme.SidebarItem[] {
  const [, lists = ''] = readFileSync(resolve(root, 'README.md'), 'utf8').split('\n## All pages\n');
  return [...lists.matchAll(/\*\*(If .+?)\*\*([\s\S]*?)(?=\n\*\*|\n\nMIT|$)/g)].map(([, text = '', list = '']) => ({
    text,
    items: [...list.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)].map(([, title = '', path = '']) => ({
      text: title,
      link: `/${path.replace(/\.md$/, '')}`,
    })),
  }));
}

/** The ids of headings as GitHub makes them: the links between the pages name these. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

export default defineConfig({
  title: name,
  description,
  lang: 'en',
  base: DOCS_BASE || '/',
  cleanUrls: true,
  srcDir: root,
  // Pages are the Markdown files of the root and of `docs` alone.
  srcExclude: ['!(docs)/**/*.md', 'docs/*/**/*.md'],
  rewrites: { 'README.md': 'index.md' },
  markdown: {
    anchor: { slugify },
    config: (markdown) => linkFiles(markdown, root, repository === null ? null : `${repository}/blob/${GITHUB_SHA}`),
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    outline: [2, 3],
    ...(repository === null ? {} : { socialLinks: [{ icon: 'github', link: repository }] }),
  },
});
