import type { IncomingMessage } from 'node:http';
import { Refusal } from '../errors.ts';

/** The client left before its body was whole. There is nobody to answer. */
export class ClientGone extends Error {}

/**
 * Refuses a body by what its headers say, before a byte of it is read.
 * @throws Refusal tooLarge (413) naming the limit and what was announced
 */
export function checkDeclared(req: IncomingMessage, maxBytes: number): void {
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes, `, ${declared} were announced`);
}

/**
 * Reads a body of at most `maxBytes`, declared or chunked.
 * @throws Refusal as `checkDeclared`; {@link ClientGone} when the client leaves
 */
export async function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  checkDeclared(req, maxBytes);
  // Its 'close' has been and gone: nothing would ever settle the promise.
  if (req.destroyed) throw new ClientGone();
  return new Promise((resolve, reject) => {
    let buffer: Buffer = Buffer.alloc(0);
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      if (size + chunk.length > maxBytes) {
        buffer = Buffer.alloc(0);
        size = maxBytes;
        reject(tooLarge(maxBytes));
        return;
      }
      // One buffer that doubles: a list of chunks costs a hundred bytes each, and a chunk may be one byte.
      if (size + chunk.length > buffer.length) buffer = grown(buffer, size, size + chunk.length);
      chunk.copy(buffer, size);
      size += chunk.length;
    });
    // A request closes after its end, too: an error for each of them, with its stack, would cost more than its body.
    const gone = () => reject(new ClientGone());
    req.on('end', () => {
      req.off('close', gone);
      resolve(buffer.subarray(0, size));
    });
    req.on('error', gone);
    req.on('close', gone);
  });
}

function grown(buffer: Buffer, size: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2));
  buffer.copy(larger, 0, 0, size);
  return larger;
}

/** 413. `more` says how much came, where that is known. */
export function tooLarge(maxBytes: number, more = ''): Refusal {
  return new Refusal('tooLarge', {
    message: `Request Entity Too Large: more than ${maxBytes} bytes (limits.bodyBytes)${more}`,
  });
}
