import { measureNames } from '../../src/actions/aggregate/measure-parameters.ts';
import { dumpParameters } from '../../src/actions/datastore_dump.ts';
import * as actions from '../../src/actions/index.ts';
import { operators } from '../../src/actions/query/operations.ts';
import { token } from '../support/gateway.ts';

/** A request. A `body` that is an object is sent as JSON, a text as form data. */
export interface Request<Body = string> {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
}

/** A place in a call that a client controls. `request` takes JSON text, and returns null if this JSON cannot be put there. */
export interface Position {
  readonly name: string;
  /**
   * What a 200 may contain: `nothing` for no records, `anything` if that is not checked here. A `file` need not be JSON, and a `description` contains
   * the database's names of tables and types.
   */
  readonly finds: 'nothing' | 'anything' | 'file' | 'description';
  /** The subjects that a 409 may name: the parameter at this position, or a part of it. */
  readonly about: readonly string[];
  /** Only one payload in this many is tried here; all of them everywhere would take minutes. */
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

/** What refusals of records can be about, as in CKAN: a value, a missing key, an unknown field. */
const ofRecords = ['records', 'key', 'fields'];

/** Refusals must name the second word of the position's name, except for records. */
function at(name: string, finds: Position['finds'], request: Position['request']): Position {
  const [, second = ''] = /^\S+ (?:by \w+ )?(\w+)/.exec(name) ?? [];
  return { name, finds, about: second === 'records' ? ofRecords : [second], share: 1, request };
}

/** A position that takes only text: names, paths, headers, query strings, forms. */
function ofText(name: string, finds: Position['finds'], request: (text: string) => Request | null): Position {
  return at(name, finds, (json) => {
    const text: unknown = json.startsWith('"') ? JSON.parse(json) : null;
    return typeof text === 'string' ? request(text) : null;
  });
}

/** A position for parameter names, which are also text. */
function ofName(name: string, finds: Position['finds'], request: (json: string) => Request): Position {
  return at(name, finds, (json) => (json.startsWith('"') ? request(json) : null));
}

/** URL encoding. It has no form for a lone surrogate, so that is replaced. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function get(query: string): Request {
  return { path: `/api/3/action/datastore_search?${query}`, method: 'GET', headers: auth };
}
function form(action: string, body: string): Request {
  return { path: `/api/3/action/${action}`, method: 'POST', headers: asForm, body };
}

/** Positions whose content can become part of SQL, for a table with these columns. No payload may find or change a film. */
export function nearTheDatabase(columns: readonly string[]): readonly Position[] {
  return [
    ...columns.flatMap((column) => {
      const name = JSON.stringify(column);
      const record = (value: string) => (column === 'id' ? '{"id":-1}' : `{"id":-1,${name}:${value}}`);
      return [
        { ...at(`search filters.${column}`, 'nothing', (p) => search(`"filters":{${name}:${p}}`)), share: 2 },
        // Conversion is the same for all of these, so each column gets a different part of the payloads.
        ...[
          at(`search filters.${column}[]`, 'nothing', (p) => search(`"filters":{${name}:[${p},${p}]}`)),
          at(`delete filters.${column}`, 'nothing', (p) => remove(`"filters":{${name}:${p}}`)),
          at(`delete filters.${column}[]`, 'nothing', (p) => remove(`"filters":{${name}:[${p}]}`)),
          at(`update records.${column}`, 'nothing', (p) => upsert(`"method":"update","records":[${record(p)}]`)),
          ofText(`search by GET filters.${column}`, 'nothing', (p) =>
            get(`resource_id=films&filters=${encoded(JSON.stringify({ [column]: p }))}`),
          ),
        ].map((position) => ({ ...position, share: 12 })),
      ];
    }),
    ofName('search filters key', 'nothing', (p) => search(`"filters":{${p}:1}`)),
    at('search q', 'nothing', (p) => search(`"q":${p}`)),
    at('search fields[]', 'anything', (p) => search(`"fields":["id",${p}]`)),
    at('search sort[]', 'anything', (p) => search(`"sort":["id",${p}]`)),
    ofText('search sort direction', 'anything', (p) => search(`"sort":${JSON.stringify(`id ${p}`)}`)),
    ofText('search sort nulls', 'anything', (p) => search(`"sort":[${JSON.stringify(`id asc nulls ${p}`)}]`)),
    ofText('search by form q', 'nothing', (p) => form('datastore_search', `resource_id=films&limit=3&q=${encoded(p)}`)),
    at('upsert method', 'anything', (p) => upsert(`"method":${p},"records":[{"id":4711}]`)),
    at('upsert records[]', 'anything', (p) => upsert(`"method":"update","records":[${p}]`)),
    ...['insert', 'update', 'upsert'].map((method) =>
      ofName(`${method} records key`, 'anything', (p) =>
        upsert(`"method":"${method}","records":[{"id":4711,${p}:"x"}]`),
      ),
    ),
    at('update records by key', 'nothing', (p) => upsert(`"method":"update","records":[{"id":${p},"t":"x"}]`)),
    at('update records by _id', 'nothing', (p) => upsert(`"method":"update","records":[{"_id":${p},"t":"x"}]`)),
    ofName('delete filters key', 'nothing', (p) => remove(`"filters":{${p}:1}`)),
    at('delete dry_run', 'anything', (p) => remove(`"filters":{"id":-1},"dry_run":${p}`)),
  ];
}

/** Each filter operator on each of these columns, and each column as a value in a dry run. */
export function everyOperator(columns: readonly string[]): readonly Position[] {
  return columns.flatMap((column) => {
    const name = JSON.stringify(column);
    const record = (p: string) => (column === 'id' ? `{"id":${p}}` : `{"id":-1,${name}:${p}}`);
    return [
      ...operators.map((op) =>
        at(`search filters.${column}.${op}`, 'nothing', (p) => search(`"filters":{${name}:{"${op}":${p}}}`)),
      ),
      ...['insert', 'upsert'].map((method) =>
        at(`${method} records.${column}`, 'anything', (p) =>
          upsert(`"method":"${method}","dry_run":true,"records":[${record(p)}]`),
        ),
      ),
    ];
  });
}

/** Pages that take no parameters, and a header that is ignored. */
export function pages(): readonly Position[] {
  const page = (path: string) => (p: string) => ({ ...get(''), path: `${path}?${encoded(p)}` });
  return [
    ...['/', '/api/3', '/api/openapi.json', '/nothing'].map((path) =>
      ofText(`the page ${path}`, 'anything', page(path)),
    ),
    ofText('the query of a call by POST', 'anything', (p) => ({
      ...post('datastore_search', '{"resource_id":"films"}'),
      path: `/api/3/action/datastore_search?${encoded(p)}`,
    })),
    ...['Accept-Encoding', 'If-None-Match', 'Cache-Control', 'X-Request-Id', 'Accept', 'X'].map((name) =>
      ofText(`the header ${name}`, 'anything', (p) => ({
        ...get('resource_id=films'),
        headers: { ...auth, [name]: encoded(p) },
      })),
    ),
  ];
}

/** Parameters that a call needs while another one is attacked; harmless if the call is accepted. */
const whole: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  datastore_aggregate: { by: '"id"' },
  datastore_upsert: { method: '"update"', records: '[]' },
  datastore_delete: { filters: '{"id":-1}' },
  datastore_records_delete: { filters: '{"id":-1}' },
};

/** Measures for the parameters that need some. */
const measures = '{"number of records":"count"}';

/** Every documented parameter of every action and of downloads, so that new parameters are covered automatically. */
export function everyParameter(): readonly Position[] {
  const called = Object.values(actions).flatMap((action) =>
    action.parameters.flatMap(({ name, also }) =>
      [name, ...(also === undefined ? [] : [also])].flatMap((spelled) => {
        const isOfMeasures = action.name === 'datastore_aggregate' && measureNames.some((one) => one === name);
        const isOfResource = action.about !== 'site' && action.about !== 'select' && name !== 'resource_id';
        const others = Object.entries({
          ...(isOfResource ? { resource_id: '"films"' } : {}),
          ...(isOfMeasures ? { measures } : whole[action.name]),
        }).filter(([other]) => other !== name);
        const grouped = action.parameters.some((one) => one.name === 'by') ? '&by=id' : '';
        const otherParameters = isOfMeasures ? `&measures=${encoded(measures)}` : grouped;
        const rest = others.map(([other, json]) => `,"${other}":${json}`).join('');
        // What is wrong in a SELECT stands under `query`, as in CKAN.
        const about = name === 'records' ? ofRecords : [name, spelled, ...(action.about === 'select' ? ['query'] : [])];
        // The default title of a resource is the name of its table.
        const finds = /^(?:datastore_info|resource_list)$/.test(action.name) ? 'description' : 'anything';
        const posted = at(`${action.name} ${spelled}`, finds, (p) => post(action.name, `{"${spelled}":${p}${rest}}`));
        const got = ofText(`${action.name} by GET ${spelled}`, finds, (p) => ({
          ...get(''),
          path: `/api/3/action/${action.name}?${spelled}=${encoded(p)}${isOfResource ? '&resource_id=films' : ''}${name === 'by' || name === 'measures' ? '' : otherParameters}`,
        }));
        return [{ ...posted, about }, ...(action.sideEffectFree && action.about !== 'site' ? [{ ...got, about }] : [])];
      }),
    ),
  );
  const downloaded = dumpParameters.map(({ name }) => ({
    ...ofText(`dump ${name}`, 'file', (p) => ({ ...get(''), path: `/datastore/dump/films?${name}=${encoded(p)}` })),
    about: [name],
  }));
  const dumpById = ofText('dump by id', 'file', (p) => ({ ...get(''), path: `/datastore/dump/${encoded(p)}` }));
  return [...called, ...downloaded, dumpById].map((position) => ({ ...position, share: 3 }));
}

/** Positions that are handled before a database is used, so one engine is enough. */
export function beforeTheDatabase(): readonly Position[] {
  return [
    ofName('search __extras', 'anything', (p) => search(`${p}:1`)),
    ofText('search by GET callback', 'anything', (p) => get(`resource_id=films&limit=1&callback=${encoded(p)}`)),
    // Unencoded payloads: broken, overlong or non-UTF-8 escapes, separators, blanks.
    {
      ...ofText('search by GET, unencoded', 'anything', (p) => get(`resource_id=films&q=${p.toWellFormed()}`)),
      about: ['q', '__extras'],
    },
    ofText('search by GET __extras', 'anything', (p) => get(`resource_id=films&${encoded(p)}=1`)),
    ofText('search by GET fields twice', 'anything', (p) => get(`resource_id=films&fields=id&fields=${encoded(p)}`)),
    ofText('search by form filters', 'nothing', (p) =>
      form('datastore_search', `resource_id=films&filters=${encoded(JSON.stringify({ t: p }))}`),
    ),
    {
      ...ofText('search by form, unencoded', 'anything', (p) =>
        form('datastore_search', `resource_id=films&q=${p.toWellFormed()}`),
      ),
      about: ['q', '__extras'],
    },
    at('search by form filters, as JSON', 'nothing', (p) =>
      form('datastore_search', `{"resource_id":"films","filters":{"t":${p}}}`),
    ),
    ofName('upsert parameter', 'anything', (p) => upsert(`${p}:1,"method":"update","records":[]`)),
    ofText('upsert by form records', 'anything', (p) =>
      form('datastore_upsert', `resource_id=films&records=${encoded(p)}`),
    ),
    ofName('delete parameter', 'anything', (p) => remove(`${p}:1,"filters":{"id":-1}`)),
    ofText('delete by form filters', 'anything', (p) =>
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
    { ...at('a whole body', 'anything', (p) => post('datastore_search', p)), about: ['resource_id'] },
  ].map((position) => ({ ...position, share: 4 }));
}

/** A header with these bytes; null if it would contain control characters, which cannot be sent. */
function inHeader(name: string, text: string): Request | null {
  const bytes = Buffer.from(text.toWellFormed(), 'utf8').toString('latin1');
  if (!/^[\t\x20-\x7e\x80-\xff]{1,8000}$/.test(bytes)) return null;
  const body = '{"resource_id":"films","limit":0}';
  return { ...post('datastore_search', body), headers: { ...asJson, [name]: bytes } };
}
