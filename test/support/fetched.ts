import { request } from 'node:http';
import { token } from './gateway.ts';

export interface Fetched {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  /** Whether the body was complete. */
  readonly isWhole: boolean;
}

/** Fetches raw bytes: without decompression or decoding, and a truncated body is not an error. */
export function fetched(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { Authorization: token, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', () => undefined);
      answer.on('close', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks),
          isWhole: answer.complete,
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}
