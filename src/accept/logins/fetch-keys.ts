/** Fetches small documents from an issuer. The gateway trusts an issuer with logins, but not with its memory. */
import { isPrivateOnTheWay } from '../../values/http-url.ts';

/** The largest set of keys, and the largest discovery document. */
export const maxDocumentBytes = 256_000;

/** Fetches a document without following redirects. Any error becomes one with a text for the log. */
export async function fetchSmall(url: string, options: RequestInit, maxBytes: number): Promise<Response> {
  const response = await fetch(url, options).catch((error: unknown) => {
    // Node hides the reason, such as ECONNREFUSED, behind "fetch failed".
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  });
  if (response.status !== 200) throw new Error(`${url} is answered with status ${response.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    // Leaving the loop cancels the rest of the body.
    if (bytes > maxBytes) throw new Error(`${url} is longer than ${maxBytes} bytes`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts));
}

/** The address of the keys in a discovery document, which must name its issuer (OpenID Connect Discovery 4.3). */
export async function locationIn(document: Response, issuer: string): Promise<string> {
  const found: unknown = await document.json();
  const text = (name: string): string => {
    const value: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  if (text('issuer') !== issuer) throw new Error('the discovery document names another issuer than the configuration');
  const url = text('jwks_uri');
  if (!isPrivateOnTheWay(url)) throw new Error('the discovery document names no https address of the keys (jwks_uri)');
  return url;
}
