/** Pure. Detects heads that another HTTP parser may read differently from Node's: request smuggling (RFC 9112 3.2 and 6.1). */
import type { Headers } from './caller.ts';

export interface FramingHead {
  readonly httpVersion: string;
  readonly headers: Headers;
  /** Names and values in turn, as received: `headers` shows only the first `Host`. */
  readonly rawHeaders: readonly string[];
}

/** @returns an error message if the request's host or the end of its body is ambiguous; else null */
export function checkFraming({ httpVersion, headers, rawHeaders }: FramingHead): string | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return `this is no HTTP/1.1, but ${httpVersion}`;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++;
  if (hosts > 1) return `there are ${hosts} Host headers`;
  if (hosts === 0 && httpVersion === '1.1') return 'there is no Host header';
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined) return null;
  if (httpVersion === '1.0') return 'HTTP/1.0 has no Transfer-Encoding';
  return String(encoding).trim().toLowerCase() === 'chunked' ? null : 'Transfer-Encoding must be chunked';
}
