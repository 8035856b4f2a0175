/** Pure. A request in any of the forms that CKAN accepts → one object of parameters. */
import { isUtf8 } from 'node:buffer';
import { malformed, Refusal } from '../model/errors.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { isObject, valueOrRefusal } from '../values/json.ts';
import { pythonRepr } from '../values/python-repr.ts';
import { inSlices, type Steps } from '../values/slices.ts';
import { tooLarge } from './body.ts';
import { type Fields, multipart, tooMany, urlencoded } from './form.ts';
import { type LargeCall, readLarge } from './large-json.ts';

export interface RequestParts {
  readonly method: string;
  /** Whether the action only reads: then GET and the query string are accepted. */
  readonly sideEffectFree: boolean;
  readonly query: string;
  readonly contentType: string | undefined;
  readonly body: Buffer;
  readonly limits: { readonly depth: number; readonly parameters: number; readonly questionBytes: number };
}

export interface CallParameters {
  /** All parameters, except records that `records` still has to read. */
  readonly params: JsonObject;
  /** Reads the records of a large call; null if `params` has them. @throws Refusal malformed */
  readonly records: LargeCall['records'];
  /** Whether any source has a `callback`: such a call is anonymous, whatever its token, as in CKAN. */
  readonly anonymous: boolean;
  /** The name of the JSONP function that wraps the answer; only the query of a GET can set it. */
  readonly callback: string | null;
}

/**
 * Builds the parameter object from the first source that applies (docs/ckan-compatibility.md, Sources of parameters). A JSON body
 * is read as JSON whatever its content type, because `curl -d` labels it as a form.
 * @throws Refusal malformed (400), tooLarge (413) or mediaType (415), each a bare JSON string
 */
export async function parameters(sent: RequestParts): Promise<CallParameters> {
  if (!sent.sideEffectFree && sent.method !== 'POST') {
    throw malformed('JSON Error: Invalid request. Please use POST method for your request');
  }
  const { params: collected, records } = await collect(sent);
  const { callback, ...params } = collected;
  const name = sent.method === 'GET' && callback !== undefined ? new URLSearchParams(sent.query).get('callback') : null;
  if (name !== null && !/^[A-Za-z_$][\w$.]{0,127}$/.test(name)) {
    throw malformed(`callback must be the name of a function, of at most 128 letters, digits, "_", "$" and "."`);
  }
  return { params, records, anonymous: callback !== undefined, callback: name };
}

type Collected = Pick<CallParameters, 'params' | 'records'>;

/**
 * Reads a form, url-encoded or multipart; an empty body is a form without fields.
 * @param body the body, of at most `limits.questionBytes`
 * @throws Refusal malformed (400), mediaType (415) for another type
 */
export async function formFields(contentType: string | undefined, body: Buffer, max: number): Promise<Fields> {
  if (body.length === 0) return [];
  switch (mediaTypeOf(contentType)) {
    case 'application/x-www-form-urlencoded':
      return urlencoded(await utf8(body), max);
    case 'multipart/form-data':
      return multipart(contentType ?? '', body, max);
    default:
      throw new Refusal('mediaType', { message: 'Unsupported Media Type: send a form' });
  }
}

const mediaTypeOf = (contentType: string | undefined): string => contentType?.split(';')[0]?.trim().toLowerCase() ?? '';

/** Takes the first source that applies: a form that has fields, else the query string, else JSON, else nothing. */
async function collect(sent: RequestParts): Promise<Collected> {
  const type = mediaTypeOf(sent.contentType);
  if (sent.method === 'POST') {
    const found = await posted(sent, type);
    if (found !== null) return found;
  }
  const query = sent.sideEffectFree ? urlencoded(sent.query, sent.limits.parameters) : [];
  // jQuery appends `_=1700000000` to JSONP calls, and pages copied from older CKAN dialogs still do. CKAN ignores it, too.
  const ignored = sent.method === 'POST' ? null : '_';
  if (query.length > 0) return { params: grouped(query, ignored), records: null };
  if (sent.body.length === 0 || type === 'multipart/form-data') return { params: {}, records: null };

  const text = await utf8(sent.body);
  if (/^application\/(?:[^;]+\+)?json$/.test(type)) return json(text, sent);
  const found = await rawObject(text, sent);
  if (found === null) throw new Refusal('mediaType', { message: 'Unsupported Media Type: send application/json' });
  return found;
}

/** The parameters of a form; null without a form or fields. `questionBytes` limits forms, whose parsers read them in one go. */
async function posted(sent: RequestParts, type: string): Promise<Collected | null> {
  const { contentType, body, limits } = sent;
  const { questionBytes, parameters } = limits;
  let fields: Fields = [];
  if (type === 'multipart/form-data') {
    if (body.length > questionBytes) throw tooLarge({ bytes: questionBytes, setting: 'questionBytes' });
    fields = await multipart(contentType ?? '', body, parameters);
  }
  if (type === 'application/x-www-form-urlencoded') {
    const text = await utf8(body);
    const raw = await rawObject(text, sent);
    if (raw !== null) return raw;
    if (body.length > questionBytes) throw tooLarge({ bytes: questionBytes, setting: 'questionBytes' });
    fields = urlencoded(text, parameters);
  }
  const [first] = fields;
  if (first === undefined) return null;
  const [name, value] = first;
  const single = fields.every(([other]) => other === name);
  return single && (value === '' || value === '1')
    ? json(name, sent)
    : { params: grouped(fields, null), records: null };
}

async function json(text: string, sent: RequestParts): Promise<Collected> {
  const { parsed, records } = await readLarge(text, sent.limits);
  return { params: dictionary(valueOrRefusal(parsed), sent), records };
}

/** The parameters of a body that starts like a JSON object; null if it is not valid JSON, because it may still be a form. */
async function rawObject(text: string, sent: RequestParts): Promise<Collected | null> {
  if (!/^\s*\{/.test(text)) return null;
  const { parsed, records } = await readLarge(text, sent.limits);
  return 'value' in parsed ? { params: dictionary(parsed.value, sent), records } : null;
}

/**
 * Collects the values of a repeated name in a list. `Object.fromEntries` defines own members, so even `__proto__` is a plain name.
 * @param ignored a name to leave out; null for none
 */
function grouped(fields: Fields, ignored: string | null): JsonObject {
  const groups = new Map<string, string | string[]>();
  for (const [name, value] of fields) {
    if (name === ignored) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, value);
    else if (typeof group === 'string') groups.set(name, [group, value]);
    else group.push(value);
  }
  return Object.fromEntries(groups);
}

function dictionary(value: Json, { limits }: RequestParts): JsonObject {
  if (isObject(value)) {
    const count = Object.keys(value).length;
    if (count > limits.parameters) throw tooMany(limits.parameters, count);
    return value;
  }
  throw malformed(`JSON Error: Request data JSON decoded to ${pythonRepr(value)} but it needs to be a dictionary.`);
}

/** Decodes UTF-8 and drops a byte order mark. (A `TextDecoder` with `fatal` does both, but takes longer than the rest of a small call.) */
async function utf8(bytes: Buffer): Promise<string> {
  if (!isUtf8(bytes)) throw malformed('the body is not UTF-8');
  const text = bytes.length <= decodeBytes ? bytes.toString() : await inSlices(textOf(bytes));
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Bytes decoded in one turn of the event loop: ten megabytes of non-ASCII text would block it for 60 ms. */
const decodeBytes = 262_144;

function* textOf(bytes: Buffer): Steps<string> {
  let text = '';
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    yield;
    to = Math.min(from + decodeBytes, bytes.length);
    // Moves the cut back to the first byte of a character.
    while (((bytes[to] ?? 0) & 0xc0) === 0x80) to--;
    text += bytes.toString('utf8', from, to);
  }
  return text;
}
