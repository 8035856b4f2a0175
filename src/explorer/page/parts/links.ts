/** Addresses in texts. Only web and mail addresses become links: `javascript:` and `data:` would run what a stranger wrote. */
export interface Link {
  readonly href: string;
  readonly shown: string;
  readonly isMail: boolean;
}

/** Longer addresses stay text. */
const maxCharacters = 2000;

/** The link for a text that is one whole address; null for any other text. */
export function linkOf(text: string): Link | null {
  if (text.length > maxCharacters) return null;
  if (/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(text)) return { href: `mailto:${text}`, shown: text, isMail: true };
  if (!/^https?:\/\//i.test(text) || /\s/.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const path = `${url.pathname}${url.search}`;
  return { href: url.href, shown: `${url.host.replace(/^www\./, '')}${path === '/' ? '' : path}`, isMail: false };
}
