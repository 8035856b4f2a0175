/** Requests as plain values, built when they are sent, because many are too large to keep. */
export interface HeavyRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
export type Make = () => HeavyRequest;

type Headers = Readonly<Record<string, string>>;

/** Size of a body close to the limit, in bytes. */
export const nearlyMaxBodyBytes = 9_900_000;

export const many = <T>(count: number, item: (nth: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, nth) => item(nth));

/** As many records as fit into a body. */
export const filling = (record: (id: number) => object): readonly object[] =>
  many(Math.floor(nearlyMaxBodyBytes / (JSON.stringify(record(99_999)).length + 1)), record);

/** A POST call. The body is JSON unless the headers say otherwise. */
export function post(action: string, body: string | Uint8Array, headers: Headers = {}): HeavyRequest {
  return {
    method: 'POST',
    path: `/api/3/action/${action}`,
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  };
}

export function get(path: string, headers: Headers = {}): HeavyRequest {
  return { method: 'GET', path, headers };
}

export const search = (params: object, headers: Headers = {}): HeavyRequest =>
  post('datastore_search', JSON.stringify(params), headers);

export const upsert = (resource_id: string, records: readonly object[], more: object = {}): HeavyRequest =>
  post('datastore_upsert', JSON.stringify({ resource_id, records, ...more }));

export const urlencoded = (body: string): HeavyRequest =>
  post('datastore_search', body, { 'Content-Type': 'application/x-www-form-urlencoded' });

/** A multipart form with one part that has this header. */
export const multipart = (head: string): HeavyRequest =>
  post('datastore_search', `--x\r\n${head}\r\n\r\nb\r\n--x--\r\n`, {
    'Content-Type': 'multipart/form-data; boundary=x',
  });
