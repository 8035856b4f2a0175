/** Decompresses bodies, up to the size limit of a body. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { malformed, Refusal } from '../model/errors.ts';
import type { BodyLimit } from './body.ts';

type Undo = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const encodings: ReadonlyMap<string, Undo> = new Map<string, Undo>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);
/** Ten kilobytes unpack to a megabyte: bodies of a thousand concurrent clients must not be unpacked at once. */
const atOnce = 4;
/** The largest ratio of unpacked to compressed size. JSON records compress to a tenth or, where they repeat, to a fiftieth. */
const mostTimes = 100;
/** Bytes that any body may unpack to, however small it is. */
const leastBytes = 65_536;

/**
 * Refuses an encoding before the body is read.
 * @param encoding the header `Content-Encoding`
 * @throws Refusal mediaType (415) for any but gzip, deflate and br, and for several encodings combined
 */
export function checkEncoding(encoding: string | undefined): void {
  const name = nameOf(encoding);
  if (name !== '' && !encodings.has(name)) {
    throw new Refusal('mediaType', {
      message: `Unsupported Media Type: Content-Encoding must be gzip, deflate or br, got ${name.slice(0, 100)}`,
    });
  }
}

/** Decompresses a body; throws as `checkEncoding`, and Refusal malformed or tooLarge. */
export type Decode = (body: Buffer, encoding: string | undefined, limit: BodyLimit) => Promise<Buffer>;

/** Makes a function that decompresses bodies, a few at a time. It stops at the first byte over the limit of a body. */
export function decoder(): Decode {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (body, encoding, limit) => {
    const name = nameOf(encoding);
    const undo = encodings.get(name);
    if (undo === undefined || body.length === 0) return body;
    const grown = Math.max(leastBytes, body.length * mostTimes);
    if (running === atOnce) await new Promise<void>((go) => waiting.push(go));
    else running += 1;
    try {
      return await undo(body, { maxOutputLength: Math.min(limit.bytes, grown) });
    } catch (error) {
      if (error instanceof RangeError)
        throw limit.bytes <= grown
          ? limit.over(' when unpacked')
          : malformed(
              `the body unpacks to more than ${mostTimes} times its ${body.length} bytes: send it without ${name}`,
            );
      throw malformed(`the body is not ${name}, as Content-Encoding says`);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

function nameOf(encoding: string | undefined): string {
  const name = encoding?.trim().toLowerCase() ?? '';
  return name === 'identity' ? '' : name;
}
