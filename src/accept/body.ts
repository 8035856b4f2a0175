import type { IncomingMessage } from 'node:http';
import { Refusal } from '../model/errors.ts';
import type { CountBody } from './incoming-bytes.ts';

/** The client disconnected before its body was complete, so no reply is possible. */
export class ClientGone extends Error {}

/** The most bytes of a body, and the setting with this limit: `questionBytes` for calls without records or from clients that may not write. */
export interface BodyLimit {
  readonly bytes: number;
  readonly setting: 'bodyBytes' | 'questionBytes';
}

/** The refusal (413) of a larger body. @param more a detail such as its size */
export function tooLarge({ bytes, setting }: BodyLimit, more = ''): Refusal {
  const advice = '; only the records of a write, as JSON and with a token that may write, take more';
  return new Refusal('tooLarge', {
    message: `Request Entity Too Large: more than ${bytes} bytes (limits.${setting})${more}${setting === 'questionBytes' ? advice : ''}`,
  });
}

/**
 * Refuses a body whose declared length exceeds the limit, before reading any of it.
 * @throws Refusal tooLarge (413) with the limit and the declared length
 */
export function checkDeclared(req: IncomingMessage, limit: BodyLimit): void {
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > limit.bytes) throw tooLarge(limit, `, ${declared} were announced`);
}

/**
 * Reads a body, declared or chunked.
 * @throws Refusal tooLarge (413), or busy when the bodies in memory exceed their limit; {@link ClientGone} when the client
 * disconnects
 */
export async function readBody(req: IncomingMessage, limit: BodyLimit, count: CountBody): Promise<Buffer> {
  checkDeclared(req, limit);
  // A destroyed request has already emitted 'close', so the promise below would never settle.
  if (req.destroyed) throw new ClientGone();
  return new Promise((resolve, reject) => {
    let buffer: Buffer = Buffer.alloc(0);
    let size = 0;
    const stop = (why: Refusal) => {
      buffer = Buffer.alloc(0);
      size = limit.bytes;
      reject(why);
    };
    const counted = count(stop);
    req.on('data', (chunk: Buffer) => {
      if (size + chunk.length > limit.bytes) {
        counted.forget();
        stop(tooLarge(limit));
        return;
      }
      if (!counted.add(chunk.length)) return;
      // One buffer that doubles, because a list costs a hundred bytes per chunk, and a client may send chunks of one byte.
      if (size + chunk.length > buffer.length) buffer = grown(buffer, size, size + chunk.length);
      chunk.copy(buffer, size);
      size += chunk.length;
    });
    // A request emits 'close' after 'end', too: creating an error with its stack each time would cost more than the body.
    const disconnected = () => reject(new ClientGone());
    req.on('end', () => {
      req.off('close', disconnected);
      counted.end();
      resolve(buffer.subarray(0, size));
    });
    req.on('error', disconnected);
    req.on('close', disconnected);
  });
}

/** Counts a body that is already in memory towards the limit on bodies in memory, as `readBody` does. @throws Refusal busy */
export async function countWhole(body: Buffer, count: CountBody): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const counted = count(reject);
    counted.add(body.length);
    counted.end();
    resolve(body);
  });
}

function grown(buffer: Buffer, size: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2));
  buffer.copy(larger, 0, 0, size);
  return larger;
}
