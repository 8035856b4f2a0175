/** Pure. Answers that depend on the method alone (contract 1.1, 1.9). */
import type { Reply } from '../model/http.ts';

/**
 * Answers methods that are no call: OPTIONS is 200 and empty, PUT, PATCH, DELETE and the rest are 405.
 * @param reads whether the route is read-only; else POST is a call as well
 * @returns null for GET and HEAD, and for POST where it is a call
 */
export function withoutCall(method: string, reads: boolean): Reply | null {
  if (method === 'GET' || method === 'HEAD' || (method === 'POST' && !reads)) return null;
  const allow = reads ? 'GET, HEAD, OPTIONS' : 'GET, HEAD, OPTIONS, POST';
  if (method === 'OPTIONS') return { status: 200, headers: { Allow: allow }, body: '' };
  return { status: 405, headers: { Allow: allow }, body: JSON.stringify(`Method Not Allowed: use ${allow}`) };
}
