import { type IncomingHttpHeaders, request as open } from 'node:http';
import type { Request } from './transcript.ts';

/** Headers that every answer has in common are checked, but not shown in the transcripts. */
const everywhere = 'application/json;charset=utf-8';
const shown = [
  'content-type',
  'content-length',
  'allow',
  'cache-control',
  'retry-after',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-max-age',
];

/** Sends a request byte for byte, and returns the answer in the format of a transcript. */
export async function exchange(url: string, { method, target, headers, body }: Request): Promise<string> {
  // Multipart bodies need CRLF, but transcript files have LF.
  const sent = /^multipart/.test(headers['content-type'] ?? '') ? `${body ?? ''}\n`.replace(/\n/g, '\r\n') : body;
  const length = sent === null ? {} : { 'content-length': String(Buffer.byteLength(sent)) };
  const got = await new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const call = open(url, { method, path: target, headers: { ...length, ...headers }, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(chunks) }));
    });
    call.on('error', reject);
    call.end(sent ?? '');
  });
  const lines = shown.flatMap((name) => {
    const value = got.headers[name];
    if (value === undefined || (name.startsWith('access-control') && headers.origin === undefined)) return [];
    if (name === 'content-type' && value === everywhere) return [];
    if (name === 'content-length' && method !== 'HEAD' && Number(value) === got.bytes.length) return [];
    return [`${name}: ${String(value)}`];
  });
  if (got.headers['x-content-type-options'] !== 'nosniff') lines.push('(x-content-type-options: nosniff is missing)');
  // Without this, a shared cache could give the answer for one page to all others.
  if (got.headers['access-control-allow-origin'] !== '*' && !got.headers.vary?.includes('Origin'))
    lines.push('(access-control-allow-origin: * or vary: Origin is missing)');
  if (got.headers['content-type'] === undefined) lines.push('(content-type is missing)');
  // V8's reason why a body is not JSON depends on the version of Node.
  const text = got.bytes.toString('utf8').replace(/(?<=JSONDecodeError\(').*(?='\))/, '…');
  return `${[got.status, ...lines].join('\n')}\n\n${text}\n`;
}
