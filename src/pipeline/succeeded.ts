import type { Reply } from '../model/http.ts';
import { jsonp } from '../reply/jsonp.ts';
import { inSlices } from '../values/slices.ts';

/**
 * The reply of an action that succeeded.
 * @param control the value of `Cache-Control`
 * @param callback the name of a JSONP function that wraps the body, or null
 */
export async function succeeded(body: string | Uint8Array, control: string, callback: string | null): Promise<Reply> {
  const headers = { 'Cache-Control': control };
  if (callback === null) return { status: 200, headers, body };
  const script = await inSlices(jsonp(callback, typeof body === 'string' ? Buffer.from(body) : body));
  return { status: 200, headers: { ...headers, ...script.headers }, body: script.body };
}
