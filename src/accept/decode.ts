/** Decompresses bodies, up to the size limit of a body. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { malformed, Refusal } from '../model/errors.ts';
import { type BodyLimit, tooLarge } from './body.ts';

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const encodings: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);
/** The limit of concurrent decompressions: ten kilobytes may unpack to a megabyte, and a thousand clients may send them at once. */
const maxConcurrent = 4;
/** The largest ratio of unpacked to compressed size. JSON records compress ten to one or, if they repeat, fifty to one. */
const maxRatio = 100;
/** The unpacked size that every body may have, whatever its ratio. */
const alwaysAllowedBytes = 65_536;

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

/** Decompresses a body. @throws Refusal malformed (400) or tooLarge (413) */
export type Decode = (body: Buffer, encoding: string | undefined, limit: BodyLimit) => Promise<Buffer>;

/** Makes a function that decompresses a few bodies at a time, each up to the first byte over its limit. */
export function decoder(): Decode {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (body, encoding, limit) => {
    const name = nameOf(encoding);
    const decompress = encodings.get(name);
    if (decompress === undefined || body.length === 0) return body;
    const maxBytes = Math.max(alwaysAllowedBytes, body.length * maxRatio);
    if (running === maxConcurrent) await new Promise<void>((go) => waiting.push(go));
    else running += 1;
    try {
      return await decompress(body, { maxOutputLength: Math.min(limit.bytes, maxBytes) });
    } catch (error) {
      if (error instanceof RangeError)
        throw limit.bytes <= maxBytes
          ? tooLarge(limit, ' when unpacked')
          : malformed(
              `the body unpacks to more than ${maxRatio} times its ${body.length} bytes: send it without ${name}`,
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
