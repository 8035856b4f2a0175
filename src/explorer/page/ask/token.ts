/** This tab's token. It is only ever sent in the `Authorization` header. */
import { site } from './site.ts';
import { readItem, writeItem } from './storage.ts';

const key = `token of ${site.base}/`;
const memory = { token: '' };

export function token(): string {
  if (site.isFramed) return '';
  return site.keeps === 'memory' ? memory.token : readItem('sessionStorage', key);
}

/** @param to the new token; '' removes it */
export function keepToken(to: string): void {
  if (site.keeps === 'memory') memory.token = to;
  else writeItem('sessionStorage', key, to);
}

/**
 * Takes the token from the address (`#token=…`) and removes it there, so that neither the history nor a copied link contains it. Browsers do
 * not send the fragment to any server.
 * @returns whether the address had a token
 */
export function takeToken(): boolean {
  const [, given] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (given === undefined) return false;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (!site.isFramed) keepToken(given);
  return true;
}
