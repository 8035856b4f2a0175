/** Pure. Answers that depend on the method alone. */
import type { Reply } from '../model/http.ts';

/**
 * Answers requests whose method is not a call: OPTIONS with an empty 200, as CKAN does, and PUT, PATCH, DELETE and others with 405.
 * @param reads whether the route is read-only; else POST is a call as well
 * @returns null for GET and HEAD, and for POST where it is a call
 */
export function withoutCall(method: string, reads: boolean): Reply | null {
  if (method === 'GET' || method === 'HEAD' || (method === 'POST' && !reads)) return null;
  const allow = reads ? 'GET, HEAD, OPTIONS' : 'GET, HEAD, OPTIONS, POST';
  if (method === 'OPTIONS') return { status: 200, headers: { Allow: allow }, body: '' };
  return { status: 405, headers: { Allow: allow }, body: JSON.stringify(`Method Not Allowed: use ${allow}`) };
}
