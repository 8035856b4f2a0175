/** Pure. What an action's address answers by method alone (contract 1.1, 1.9). */
import type { Reply } from '../plan.ts';

const allow = 'GET, HEAD, OPTIONS, POST';

/**
 * Answers what is not a call: OPTIONS is 200 and empty, PUT, PATCH, DELETE and the rest are 405.
 * @returns null for GET, HEAD and POST, which the action answers
 */
export function withoutCall(method: string): Reply | null {
  if (method === 'GET' || method === 'HEAD' || method === 'POST') return null;
  if (method === 'OPTIONS') return { status: 200, headers: { Allow: allow }, body: '' };
  return { status: 405, headers: { Allow: allow }, body: JSON.stringify(`Method Not Allowed: use ${allow}`) };
}
