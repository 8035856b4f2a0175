/** Calls the API. */
import { type Json, type JsonObject, object, parse, textOf } from './json.ts';
import { actionUrl, site } from './site.ts';
import { token } from './token.ts';

/** An error response, with the gateway's own message. `status` is 0 if there was no response. */
export class Refused extends Error {
  readonly status: number;
  /** Seconds after which a retry may work; null if a retry cannot help. */
  readonly retryAfter: number | null;
  /** The `error` object of the response. */
  readonly details: JsonObject;

  constructor(message: string, status: number, retryAfter: number | null, said: JsonObject = {}) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
    this.details = said;
  }
}

export interface Answer {
  readonly result: JsonObject;
  /** The data's age in seconds, from the `Age` header: how long the gateway has had it in its cache. */
  readonly age: number;
  /** Length of the response body in characters. */
  readonly size: number;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Whether to bypass the gateway's cache (`Cache-Control: no-cache`). */
  readonly fresh?: boolean;
  /** A token to send instead of this tab's own. */
  readonly as?: string;
}

/**
 * Calls an API action. Throws `Refused`, or an AbortError if the signal aborted it.
 * @param params the parameters; a Blob is sent as it is, and must hold JSON
 */
export async function call(
  action: string,
  params: JsonObject | Blob,
  { signal, fresh = false, as = token() }: CallOptions,
): Promise<Answer> {
  const { body, age, size } = await ask(actionUrl(action), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(fresh ? { 'Cache-Control': 'no-cache' } : {}) },
    body: params instanceof Blob ? params : JSON.stringify(params),
    signal,
    as,
  });
  const { success, result } = object(body);
  // A 200 that is not CKAN's JSON comes from something in between, such as a proxy's login page. The call may or may not have reached the gateway.
  if (success !== true) throw new Refused('', 0, 5);
  return { result: object(result), age, size };
}

/** Fetches a JSON document from the gateway. Throws `Refused`, or an AbortError if the signal aborted it. */
export async function readDocument(url: string, signal: AbortSignal): Promise<JsonObject> {
  return object((await ask(url, { signal, as: token() })).body);
}

interface Init {
  /** The token to send. */
  readonly as: string;
  readonly signal: AbortSignal;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Blob;
}

async function ask(url: string, init: Init): Promise<Omit<Answer, 'result'> & { readonly body: Json }> {
  const response = await send(url, init);
  const written = await response.text();
  return { body: parsed(written), age: Number(response.headers.get('age') ?? 0), size: written.length };
}

/** Sends a request. Throws `Refused`, or an AbortError if the signal aborted it. */
export async function send(url: string, { headers, as, ...init }: Init): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    headers: { ...headers, ...(as === '' ? {} : { Authorization: as }) },
    credentials: site.takesCookies ? 'same-origin' : 'omit',
  }).catch((error: unknown) => {
    if (init.signal.aborted) throw error;
    throw new Refused('', 0, 5);
  });
  if (response.ok) return response;
  const body = parsed(await response.text());
  throw new Refused(complaint(body), response.status, retryAfter(response), object(object(body).error));
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function parsed(body: string): Json {
  try {
    return parse(body);
  } catch {
    return body.slice(0, 300);
  }
}

/** CKAN's `error` is a text, an object with a `message`, or an object that lists each field's complaints. */
function complaint(body: Json): string {
  if (typeof body === 'string') return body;
  const { message, ...others } = object(object(body).error);
  if (typeof message === 'string') return message;
  const complaints = Object.entries(others).filter(([name]) => name !== '__type' && !name.startsWith('records_'));
  return complaints
    .map(([name, texts]) => `${name}: ${Array.isArray(texts) ? texts.map(textOf).join('; ') : textOf(texts)}`)
    .join(' ');
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(seconds)) return seconds;
  return response.status === 429 || response.status >= 502 ? 5 : null;
}
