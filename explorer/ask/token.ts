/** The token of this tab. It goes into a header and nowhere else. */
import { site } from './site.ts';

const key = `token of ${site.base}/`;
const memory = { token: '' };

export function token(): string {
  return site.keeps === 'memory' ? memory.token : (sessionStorage.getItem(key) ?? '');
}

/** @param to the new token; '' forgets it */
export function keepToken(to: string): void {
  if (site.keeps === 'memory') memory.token = to;
  else if (to === '') sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, to);
}
