/** Puts any shape into any position, as large as allowed, in every form and encoding of a body. */
import { brotliCompressSync, deflateSync, gzipSync, constants as zlib } from 'node:zlib';
import { parse, stringify } from 'lossless-json';
import type { Position, Request } from './positions.ts';
import type { Shape } from './shapes.ts';

/** The defaults of `limits.questionBytes` and `limits.bodyBytes`. */
const [questionBytes, bodyBytes] = [256_000, 10_000_000];

/** Sizes around known limits, and sizes that fill the body exactly or exceed it by one. */
export const sizes = [
  99,
  101,
  1000,
  1600,
  1601,
  10_000,
  10_001,
  65_500,
  131_073,
  'fit',
  'fit',
  'fit',
  'fit',
  'over',
] as const;
export type Size = (typeof sizes)[number] | 'records';

const json = (body: string) => ({ type: 'application/json', body });
const escaped = (text: string) => encodeURIComponent(text.toWellFormed());
/** The members of a call as form fields. */
function fields(body: string): readonly (readonly [name: string, value: string])[] {
  const read = parse(body);
  const members = typeof read === 'object' && read !== null ? Object.entries(read) : [];
  return members.map(([name, value]) => [name, typeof value === 'string' ? value : (stringify(value) ?? '')]);
}

/** The ways to send a JSON call. */
export const forms = {
  json,
  'json, its members as texts': (body: string) => json(JSON.stringify(Object.fromEntries(fields(body)))),
  'json in a form': (body: string) => ({ type: 'application/x-www-form-urlencoded', body }),
  'json as the name of a field': (body: string) => ({
    type: 'application/x-www-form-urlencoded',
    body: `${escaped(body)}=1`,
  }),
  'json of no type': (body: string) => ({ type: 'text/plain', body }),
  'a form': (body: string) => ({
    type: 'application/x-www-form-urlencoded',
    body: fields(body)
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .join('&'),
  }),
  'a form, hardly escaped': (body: string) => ({
    type: 'application/x-www-form-urlencoded',
    body: fields(body)
      .map(([name, value]) => `${name}=${value.replace(/[&%+#]/g, escaped)}`)
      .join('&'),
  }),
  'a form of parts': (body: string) => ({
    type: 'multipart/form-data; boundary=xyz',
    body: `${fields(body)
      .map(([name, value]) => `--xyz\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`)
      .join('')}--xyz--\r\n`,
  }),
} as const;
export type Form = keyof typeof forms;

const encodings = {
  gzip: (bytes: Buffer) => gzipSync(bytes),
  deflate: (bytes: Buffer) => deflateSync(bytes),
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } }),
} as const;
export type Encoding = keyof typeof encodings | null;
export const allEncodings: readonly Encoding[] = [null, 'gzip', 'deflate', 'br'];

export interface Largest {
  readonly position: Position;
  readonly shape: Shape;
  readonly size: Size;
  readonly form: Form;
  readonly encoding: Encoding;
}

export const nameOf = ({ position, shape, size, form, encoding }: Largest): string =>
  `${position.name} | ${shape.name} | ${size} | ${form}${encoding === null ? '' : `, ${encoding}`}`;

/** The request; null if the shape does not fit into this position. */
export function requestOf({ position, shape, size, form, encoding }: Largest): Request<Buffer> | null {
  const build = (length: number): Request<Buffer> | null => {
    const request = position.request(shape.make(length));
    if (request === null) return null;
    const { body: text, ...head } = request;
    if (text === undefined) return head;
    const isJson = request.headers['Content-Type'] === 'application/json';
    const { type, body } = isJson ? forms[form](text) : { type: request.headers['Content-Type'] ?? '', body: text };
    return { ...request, headers: { ...request.headers, 'Content-Type': type }, body: Buffer.from(body) };
  };
  const request =
    typeof size === 'number'
      ? build(size)
      : fitting(build, size === 'records' ? bodyBytes : questionBytes, size === 'over');
  if (request?.body === undefined || encoding === null) return request;
  return {
    ...request,
    headers: { ...request.headers, 'Content-Encoding': encoding },
    body: encodings[encoding](request.body),
  };
}

/** Size of a request line with headers that is safely below the limit. */
const headBytes = 62_000;

/** The largest request of a shape within a limit, or slightly above it. */
function fitting(made: (length: number) => Request<Buffer> | null, bound: number, isOver: boolean) {
  const bytesOf = ({ body, path }: Request<Buffer>) => body?.length ?? path.length;
  const [small, larger] = [made(100), made(1100)];
  if (small === null || larger === null) return null;
  const maxBytes = small.body === undefined ? headBytes : bound;
  const each = (bytesOf(larger) - bytesOf(small)) / 1000;
  // Some shapes do not grow: the digits of an exponent, for example.
  if (each < 0.05) return made(maxBytes);
  let length = Math.floor((maxBytes - bytesOf(small)) / each);
  let last = made(length);
  for (let nth = 0; nth < 4 && last !== null && bytesOf(last) > maxBytes; nth++) {
    length = Math.floor(length * (maxBytes / bytesOf(last)) * 0.998) - 1;
    last = made(length);
  }
  return isOver ? made(Math.ceil(length * 1.05) + 100) : last;
}
