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
