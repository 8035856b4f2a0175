/** Pure. What an address answers by method alone (contract 1.1, 1.9). */
import type { Reply } from '../model/http.ts';

/**
 * Answers what is not a call: OPTIONS is 200 and empty, PUT, PATCH, DELETE and the rest are 405.
 * @param reads whether the address is only there to be read, else POST calls it as well
 * @returns null for GET and HEAD, and POST where it calls
 */
export function withoutCall(method: string, reads: boolean): Reply | null {
  if (method === 'GET' || method === 'HEAD' || (method === 'POST' && !reads)) return null;
  const allow = reads ? 'GET, HEAD, OPTIONS' : 'GET, HEAD, OPTIONS, POST';
  if (method === 'OPTIONS') return { status: 200, headers: { Allow: allow }, body: '' };
  return { status: 405, headers: { Allow: allow }, body: JSON.stringify(`Method Not Allowed: use ${allow}`) };
}
