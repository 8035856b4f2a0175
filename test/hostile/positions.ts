import { token } from '../support/gateway.ts';

/** One request; `body` of an object is sent as JSON, of a text as the form it is. */
export interface Request {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A place in a call that a client fills. Takes JSON text; null where this JSON cannot stand there. */
export interface Position {
  readonly name: string;
  /** What an answer of 200 must show: no record at all, or nothing that is decided here. */
  readonly finds: 'nothing' | 'anything';
  /** One payload in so many is put here: all times all would take minutes. */
  readonly share: number;
  request(json: string): Request | null;
}

const auth = { Authorization: token };
const asJson = { ...auth, 'Content-Type': 'application/json' };
const asForm = { ...auth, 'Content-Type': 'application/x-www-form-urlencoded' };

const post = (action: string, body: string): Request => ({
  path: `/api/3/action/${action}`,
  method: 'POST',
  headers: asJson,
  body,
});
const search = (members: string): Request => post('datastore_search', `{"resource_id":"films",${members}}`);
const upsert = (members: string): Request => post('datastore_upsert', `{"resource_id":"films",${members}}`);
const remove = (members: string): Request => post('datastore_records_delete', `{"resource_id":"films",${members}}`);

const at = (name: string, finds: Position['finds'], request: Position['request']): Position => ({
  name,
  finds,
  share: 1,
  request,
});

/** A position for texts only: names, paths, headers, query strings, forms. */
function ofText(name: string, finds: Position['finds'], request: (text: string) => Request | null): Position {
  return at(name, finds, (json) => {
    const text: unknown = JSON.parse(json);
    return typeof text === 'string' ? request(text) : null;
  });
}

/** Names of parameters are texts, too; what is no text has no place there. */
function ofName(name: string, finds: Position['finds'], request: (json: string) => Request): Position {
  return at(name, finds, (json) => (json.startsWith('"') ? request(json) : null));
}

/** As URLs and forms write it: a lone surrogate cannot be written there at all. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function get(query: string): Request {
  return { path: `/api/3/action/datastore_search?${query}`, method: 'GET', headers: auth };
}
function form(action: string, body: string): Request {
  return { path: `/api/3/action/${action}`, method: 'POST', headers: asForm, body };
}

/** The places whose content may come as far as SQL, for a table with these columns. No film may be changed or found by them. */
export function nearTheDatabase(columns: readonly string[]): readonly Position[] {
  return [
    ...columns.flatMap((column) => {
      const name = JSON.stringify(column);
      const record = (value: string) => (column === 'id' ? '{"id":-1}' : `{"id":-1,${name}:${value}}`);
      return [
        { ...at(`search filters.${column}`, 'nothing', (p) => search(`"filters":{${name}:${p}}`)), share: 2 },
        // These go the same way, so that each column takes another part of the payloads.
        ...[
          at(`search filters.${column}[]`, 'nothing', (p) => search(`"filters":{${name}:[${p},${p}]}`)),
          at(`delete filters.${column}`, 'nothing', (p) => remove(`"filters":{${name}:${p}}`)),
          at(`delete filters.${column}[]`, 'nothing', (p) => remove(`"filters":{${name}:[${p}]}`)),
          at(`update ${column}`, 'nothing', (p) => upsert(`"method":"update","records":[${record(p)}]`)),
          ofText(`search by GET filters.${column}`, 'nothing', (p) =>
            get(`resource_id=films&filters=${encoded(JSON.stringify({ [column]: p }))}`),
          ),
        ].map((position) => ({ ...position, share: 12 })),
      ];
    }),
    at('search filters', 'anything', (p) => search(`"filters":${p}`)),
    ofName('search filters key', 'nothing', (p) => search(`"filters":{${p}:1}`)),
    at('search q', 'nothing', (p) => search(`"q":${p}`)),
    at('search fields', 'anything', (p) => search(`"fields":${p}`)),
    at('search fields[]', 'anything', (p) => search(`"fields":["id",${p}]`)),
    at('search sort', 'anything', (p) => search(`"sort":${p}`)),
    at('search sort[]', 'anything', (p) => search(`"sort":["id",${p}]`)),
    ofText('search sort direction', 'anything', (p) => search(`"sort":${JSON.stringify(`id ${p}`)}`)),
    ofText('search sort nulls', 'anything', (p) => search(`"sort":[${JSON.stringify(`id asc nulls ${p}`)}]`)),
    at('search limit', 'anything', (p) => search(`"limit":${p}`)),
    at('search offset', 'anything', (p) => search(`"offset":${p}`)),
    ofText('search by form q', 'nothing', (p) => form('datastore_search', `resource_id=films&limit=3&q=${encoded(p)}`)),
    at('upsert method', 'anything', (p) => upsert(`"method":${p},"records":[{"id":4711}]`)),
    at('upsert records', 'anything', (p) => upsert(`"method":"update","records":${p}`)),
    at('upsert records[]', 'anything', (p) => upsert(`"method":"update","records":[${p}]`)),
    ...['insert', 'update', 'upsert'].map((method) =>
      ofName(`${method} key of a record`, 'anything', (p) =>
        upsert(`"method":"${method}","records":[{"id":4711,${p}:"x"}]`),
      ),
    ),
    at('update by key', 'nothing', (p) => upsert(`"method":"update","records":[{"id":${p},"t":"x"}]`)),
    at('update by _id', 'nothing', (p) => upsert(`"method":"update","records":[{"_id":${p},"t":"x"}]`)),
    at('delete filters', 'anything', (p) => remove(`"filters":${p}`)),
    ofName('delete filters key', 'nothing', (p) => remove(`"filters":{${p}:1}`)),
  ];
}

/** The places that are read, or refused, before any database is asked: the same on every engine. */
export function beforeTheDatabase(): readonly Position[] {
  return [
    at('search resource_id', 'anything', (p) => post('datastore_search', `{"resource_id":${p}}`)),
    at('search id', 'anything', (p) => post('datastore_search', `{"id":${p},"resource_id":"films"}`)),
    ...['include_total', 'records_format', 'include_next_page'].map((name) =>
      at(`search ${name}`, 'anything', (p) => search(`"${name}":${p}`)),
    ),
    ofName('search parameter', 'anything', (p) => search(`${p}:1`)),
    ...['resource_id', 'id', 'q', 'fields', 'sort', 'limit', 'offset', 'filters', 'callback'].map((name) =>
      ofText(`search by GET ${name}`, 'anything', (p) =>
        get(`${name === 'resource_id' ? '' : 'resource_id=films&'}${name}=${encoded(p)}`),
      ),
    ),
    ofText('search by GET parameter', 'anything', (p) => get(`resource_id=films&${encoded(p)}=1`)),
    ofText('search by GET fields twice', 'anything', (p) => get(`resource_id=films&fields=id&fields=${encoded(p)}`)),
    ofText('search by form filters', 'nothing', (p) =>
      form('datastore_search', `resource_id=films&filters=${encoded(JSON.stringify({ t: p }))}`),
    ),
    ofText('search by form, unencoded', 'anything', (p) =>
      form('datastore_search', `resource_id=films&q=${p.toWellFormed()}`),
    ),
    at('search by form, JSON in the body', 'nothing', (p) =>
      form('datastore_search', `{"resource_id":"films","filters":{"t":${p}}}`),
    ),
    at('upsert resource_id', 'anything', (p) => post('datastore_upsert', `{"resource_id":${p},"records":[]}`)),
    ofName('upsert parameter', 'anything', (p) => upsert(`${p}:1,"method":"update","records":[]`)),
    at('upsert dry_run', 'anything', (p) => upsert(`"dry_run":${p},"records":[]`)),
    at('upsert calculate_record_count', 'anything', (p) => upsert(`"calculate_record_count":${p},"records":[]`)),
    ofText('upsert by form', 'anything', (p) => form('datastore_upsert', `resource_id=films&records=${encoded(p)}`)),
    at('delete resource_id', 'anything', (p) =>
      post('datastore_records_delete', `{"resource_id":${p},"filters":{"id":1}}`),
    ),
    ofName('delete parameter', 'anything', (p) => remove(`${p}:1,"filters":{"id":-1}`)),
    ofText('delete by form', 'anything', (p) =>
      form('datastore_records_delete', `resource_id=films&filters=${encoded(p)}`),
    ),
    ofText('the action in the path', 'anything', (p) => ({ ...get(''), path: `/api/3/action/${encoded(p)}` })),
    ofText('the version in the path', 'anything', (p) => ({
      ...get(''),
      path: `/api/${encoded(p)}/action/datastore_search`,
    })),
    ofText('the language in the path', 'anything', (p) => ({
      ...get(''),
      path: `/${encoded(p)}/api/3/action/datastore_search?resource_id=films&limit=0`,
    })),
    ...['Authorization', 'X-CKAN-API-Key', 'Origin', 'Content-Type', 'Cookie', 'X-Forwarded-For'].map((name) =>
      ofText(`the header ${name}`, 'anything', (p) => inHeader(name, p)),
    ),
    at('a whole body', 'anything', (p) => post('datastore_search', p)),
  ].map((position) => ({ ...position, share: 4 }));
}

/** Bytes as a header carries them; it has no room for control characters. */
function inHeader(name: string, text: string): Request | null {
  const bytes = Buffer.from(text.toWellFormed(), 'utf8').toString('latin1');
  if (!/^[\t\x20-\x7e\x80-\xff]{1,8000}$/.test(bytes)) return null;
  const body = '{"resource_id":"films","limit":0}';
  return { ...post('datastore_search', body), headers: { ...asJson, [name]: bytes } };
}
