import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** The pages of the site, by their paths in the repository. VitePress checks the links to them. */
const isPage = /^(?:docs\/)?[^/]+\.md$/;

/**
 * Makes links to files that are no pages, such as an example of a configuration, lead to the repository. Throws if there is no such file.
 * @param root the folder of the repository
 * @param address where the repository shows its files; null if it has no public address, and the text is shown without a link
 */
export function linkFiles(markdown: MarkdownRenderer, root: string, address: string | null): void {
  markdown.core.ruler.push('files', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isOpen = false;
      for (const token of children ?? []) {
        if (token.type === 'link_close' && isOpen) {
          isOpen = false;
          if (address === null) token.tag = 'span';
        }
        if (token.type !== 'link_open') continue;
        const [href = ''] = (token.attrGet('href') ?? '').split('#');
        if (href === '' || /^[a-z]+:/.test(href)) continue;
        const file = relative(root, resolve(dirname(env.path), decodeURI(href)));
        if (isPage.test(file)) continue;
        if (!existsSync(resolve(root, file))) throw new Error(`${env.path}: there is no ${href}`);
        isOpen = true;
        if (address === null) {
          Object.assign(token, { type: 'span_open', tag: 'span', attrs: null });
        } else {
          token.attrSet('href', `${address}/${file}`);
        }
      }
    }
  });
}
