/** Calls of the API. */
import { type Json, type JsonObject, object, parse, textOf } from './json.ts';
import { actionUrl } from './site.ts';
import { token } from './token.ts';

/** An error answer, in the words of the gateway. `status` 0: no answer. */
export class Refused extends Error {
  readonly status: number;
  /** Seconds after which a retry may work; null where it would not. */
  readonly retryAfter: number | null;
  /** The members of the answer's `error`. */
  readonly said: JsonObject;

  constructor(message: string, status: number, retryAfter: number | null, said: JsonObject = {}) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
    this.said = said;
  }
}

export interface Answer {
  readonly result: JsonObject;
  /** Seconds since the gateway has read the data. */
  readonly age: number;
  /** Its characters. */
  readonly size: number;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Whether the gateway is to read the data again. */
  readonly fresh?: boolean;
  /** Instead of the one of this tab. */
  readonly as?: string;
}

/**
 * Calls an action. Throws `Refused`, and an AbortError when it was abandoned.
 * @param params its parameters; as a Blob, their JSON
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
  // A page to sign in at, of a proxy: whether the call has reached the gateway, nobody knows.
  if (success !== true) throw new Refused('', 0, 5);
  return { result: object(result), age, size };
}

/** Reads a JSON document of the gateway. Throws as `call` does. */
export async function readDocument(url: string, signal: AbortSignal): Promise<JsonObject> {
  return object((await ask(url, { signal, as: token() })).body);
}

interface Init {
  readonly as: string;
  readonly signal: AbortSignal;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Blob;
}

async function ask(
  url: string,
  { headers, as, ...init }: Init,
): Promise<Omit<Answer, 'result'> & { readonly body: Json }> {
  const response = await fetch(url, {
    ...init,
    headers: { ...headers, ...(as === '' ? {} : { Authorization: as }) },
    credentials: 'omit',
  }).catch((error: unknown) => {
    if (init.signal.aborted) throw error;
    throw new Refused('', 0, 5);
  });
  const written = await response.text();
  const body = parsed(written);
  if (!response.ok)
    throw new Refused(complaint(body), response.status, retryAfter(response), object(object(body).error));
  return { body, age: Number(response.headers.get('age') ?? 0), size: written.length };
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

/** CKAN's errors are texts, or objects of lists of texts. */
function complaint(body: Json): string {
  if (typeof body === 'string') return body;
  const { message, ...others } = object(object(body).error);
  if (typeof message === 'string') return message;
  const said = Object.entries(others).filter(([name]) => name !== '__type' && !name.startsWith('records_'));
  return said
    .map(([name, texts]) => `${name}: ${Array.isArray(texts) ? texts.map(textOf).join('; ') : textOf(texts)}`)
    .join(' ');
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(seconds)) return seconds;
  return response.status === 429 || response.status >= 502 ? 5 : null;
}
