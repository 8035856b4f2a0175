/** The token of this tab. It goes into a header and nowhere else. */
import { site } from './site.ts';
import { keep, kept } from './storage.ts';

const key = `token of ${site.base}/`;
const memory = { token: '' };

export function token(): string {
  if (site.isFramed) return '';
  return site.keeps === 'memory' ? memory.token : kept('sessionStorage', key);
}

/** @param to the new token; '' forgets it */
export function keepToken(to: string): void {
  if (site.keeps === 'memory') memory.token = to;
  else keep('sessionStorage', key, to);
}

/**
 * Moves the token of an address (`#token=…`) to where this tab keeps it, so that neither the history nor a copied address has it. A
 * fragment is in no request and in no `Referer`.
 * @returns whether there was one
 */
export function takeToken(): boolean {
  const [, given] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (given === undefined) return false;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (!site.isFramed) keepToken(given);
  return true;
}
