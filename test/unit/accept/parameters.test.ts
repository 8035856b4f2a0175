import { expect, test } from 'vitest';
import { parameters, type RequestParts } from '../../../src/accept/parameters.ts';
import { Refusal } from '../../../src/model/errors.ts';

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const multi = 'multipart/form-data; boundary=XX';

/** A POST of an action without side effects, unless the row says otherwise. */
type Row = Partial<Omit<RequestParts, 'body'>> & { readonly body?: string | Uint8Array };
const send = ({ body = '', ...row }: Row) =>
  parameters({
    method: 'POST',
    sideEffectFree: true,
    query: '',
    contentType: undefined,
    limits: { depth: 32, parameters: 1000, questionBytes: 256_000 },
    ...row,
    body: Buffer.from(body),
  });
const part = (name: string, value: string, file = '') =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
const get = { method: 'GET' };
const write = { sideEffectFree: false };

const accepted: readonly (readonly [fear: string, row: Row, params: unknown])[] = [
  // The forms that CKAN's clients send: docs/ckan-compatibility.md, section "Forms".
  ['curl -d JSON', { contentType: form, body: '{"resource_id":"RID","limit":0}' }, { resource_id: 'RID', limit: 0 }],
  ['curl -d JSON from the dialog, with a newline first', { contentType: form, body: '\n  {"q":"a"}\n' }, { q: 'a' }],
  ['curl -d JSON with =', { contentType: form, body: '{"q":"a=b"}' }, { q: 'a=b' }],
  ['curl -d JSON with &', { contentType: form, body: '{"q":"a&b=c"}' }, { q: 'a&b=c' }],
  ['curl -d JSON with + and %', { contentType: form, body: '{"q":"a+b%41%"}' }, { q: 'a+b%41%' }],
  ['JSON that a client did encode', { contentType: form, body: '%7B%22q%22%3A%22a%3Db%22%7D' }, { q: 'a=b' }],
  ['JSON as the name of a field', { contentType: form, body: '%7B%22q%22%3A1%7D=1' }, { q: 1 }],
  [
    'a plain form',
    { contentType: form, body: 'resource_id=RID&limit=0&fields=id&fields=n' },
    { resource_id: 'RID', limit: '0', fields: ['id', 'n'] },
  ],
  [
    'JSON in a form value stays text',
    { contentType: form, body: 'x=1&filters={"id":"a"}' },
    { x: '1', filters: '{"id":"a"}' },
  ],
  ['broken JSON with = is a form after all', { contentType: form, body: '{"q":"a=b"' }, { '{"q":"a': 'b"' }],
  ['-F a=b', { contentType: multi, body: `${part('a', 'b')}${part('c', 'é')}--XX--\r\n` }, { a: 'b', c: 'é' }],
  ['-F a=b -F a=c', { contentType: multi, body: `${part('a', 'b')}${part('a', 'c')}--XX--\r\n` }, { a: ['b', 'c'] }],
  ['a JSON body', { contentType: json, body: '{"a":1}' }, { a: 1 }],
  ['a +json body', { contentType: 'application/vnd.api+json', body: '{"a":1}' }, { a: 1 }],
  [
    'a JSON body that claims latin1',
    { contentType: 'application/json; charset=latin1', body: '{"a":"é"}' },
    { a: 'é' },
  ],
  ['JSON called text/plain', { contentType: 'text/plain;charset=UTF-8', body: '{"a":1}' }, { a: 1 }],
  ['JSON without a type', { body: '{"a":1}' }, { a: 1 }],
  [
    'ckanr: POST with all in the query string',
    { contentType: json, query: 'resource_id=RID&limit=5' },
    { resource_id: 'RID', limit: '5' },
  ],
  ['the same as text/plain', { contentType: 'text/plain', query: 'resource_id=RID' }, { resource_id: 'RID' }],
  ['the same without a type', { query: 'resource_id=RID' }, { resource_id: 'RID' }],
  ['query beats a JSON body', { contentType: json, query: 'a=1', body: '{"a":2}' }, { a: '1' }],
  ['query beats even a broken body', { contentType: json, query: 'a=1', body: '{' }, { a: '1' }],
  ['a form beats the query', { contentType: form, query: 'a=1', body: 'b=2' }, { b: '2' }],
  ['a write reads its body, not its query', { ...write, contentType: json, query: 'a=1', body: '{"a":2}' }, { a: 2 }],
  ['a write with an empty body', { ...write, query: 'a=1' }, {}],
  ['GET with a JSON body', { ...get, contentType: json, body: '{"a":1}' }, { a: 1 }],
  ['GET with a JSON body and a query', { ...get, contentType: json, query: 'a=2', body: '{"a":1}' }, { a: '2' }],
  ['fields twice', { ...get, query: 'fields=a&fields=b' }, { fields: ['a', 'b'] }],
  ['fields with a comma', { ...get, query: 'fields=a,b' }, { fields: 'a,b' }],
  ['resource_id twice', { ...get, query: 'resource_id=A&resource_id=B' }, { resource_id: ['A', 'B'] }],
  ['id', { ...get, query: 'id=RID' }, { id: 'RID' }],
  // Other unusual requests.
  ['HEAD is read as GET', { method: 'HEAD', query: 'a=1' }, { a: '1' }],
  ['nothing at all', {}, {}],
  ['an empty form', { contentType: form }, {}],
  ['a multipart type without a boundary', { contentType: 'multipart/form-data', body: 'x' }, {}],
  ['jQuery adds _', { ...get, query: 'a=1&_=1700000000' }, { a: '1' }],
  ['_ in a POST is a parameter', { query: '_=1' }, { _: '1' }],
  [
    'a browser link with blanks and quotes',
    { ...get, query: 'sql=SELECT * from "RID"' },
    { sql: 'SELECT * from "RID"' },
  ],
  ['a lone percent sign', { ...get, query: 'q=100%' }, { q: '100%' }],
  ['a byte order mark', { contentType: json, body: '\uFEFF{"a":1}' }, { a: 1 }],
  ['NUL', { contentType: json, body: '{"a":"\\u0000"}' }, { a: '\0' }],
  ['an upper case type', { contentType: 'Application/JSON', body: '{"a":1}' }, { a: 1 }],
];

test.each(accepted)('%s', async (_, row, params) => {
  expect(await send(row)).toEqual({ params, records: null, anonymous: false, callback: null });
});

const dictionary = (what: string) =>
  `Bad request: JSON Error: Request data JSON decoded to ${what} but it needs to be a dictionary.`;
const many = Array.from({ length: 1001 }, (_, i) => `a${i}=1`).join('&');
const refused: readonly (readonly [fear: string, row: Row, status: number, text: string | RegExp])[] = [
  [
    'GET on a write',
    { ...get, ...write, query: 'a=1' },
    400,
    'Bad request: JSON Error: Invalid request. Please use POST method for your request',
  ],
  [
    'HEAD on a write',
    { method: 'HEAD', ...write },
    400,
    'Bad request: JSON Error: Invalid request. Please use POST method for your request',
  ],
  [
    '-d {bad',
    { contentType: form, body: '{bad' },
    400,
    /^Bad request: JSON Error: Error decoding JSON data\. Error: JSONDecodeError\('.*'\) JSON data extracted from the request: \{\}$/,
  ],
  ['-d [1]', { contentType: form, body: '[1]' }, 400, dictionary('[1]')],
  ['-d name=1', { contentType: form, body: 'name=1' }, 400, /Error decoding JSON data/],
  ['-d name=', { contentType: form, body: 'name=' }, 400, /Error decoding JSON data/],
  ['-F name=', { contentType: multi, body: `${part('name', '')}--XX--\r\n` }, 400, /Error decoding JSON data/],
  [
    'a file',
    { contentType: multi, body: `${part('upload', 'x', '; filename="a.csv"')}--XX--\r\n` },
    400,
    'Bad request: files are not accepted, but "upload" is one',
  ],
  [
    'a second boundary in the quotes of a parameter',
    {
      contentType: 'multipart/form-data; x="; boundary=YY"; boundary=XX',
      body: `${Array.from({ length: 1001 }, (_, nth) => part(`a${nth}`, 'x')).join('')}--XX--\r\n`,
    },
    400,
    /more than 1000/,
  ],
  [
    'a multipart body cut short',
    { contentType: multi, body: '--XX\r\nContent-Disp' },
    400,
    'Bad request: the multipart body could not be read',
  ],
  ['bad JSON', { contentType: json, body: '{bad' }, 400, /Error decoding JSON data/],
  [
    'a list',
    { contentType: json, body: `[1, "a", "it's", null, true, {"b": false}]` },
    400,
    dictionary(`[1, 'a', "it's", None, True, {'b': False}]`),
  ],
  ['null', { contentType: json, body: 'null' }, 400, dictionary('None')],
  ['a long number', { contentType: json, body: '12345678901234567890' }, 400, dictionary('12345678901234567890')],
  ['a long list is not echoed whole', { contentType: json, body: `["${'a'.repeat(5000)}"]` }, 400, /^.{200,350}$/],
  ['text/plain that is not JSON', { contentType: 'text/plain', body: 'a=b' }, 415, /^Unsupported Media Type/],
  ['text/plain with a list', { contentType: 'text/plain', body: '[1]' }, 415, /^Unsupported Media Type/],
  ['XML', { contentType: 'application/xml', body: '<a/>' }, 415, /^Unsupported Media Type/],
  ['a form that is only &', { contentType: form, body: '&' }, 415, /^Unsupported Media Type/],
  [
    'bytes that are not UTF-8',
    { contentType: json, body: Buffer.from([0x7b, 0xff, 0x7d]) },
    400,
    'Bad request: the body is not UTF-8',
  ],
  [
    'UTF-16',
    { contentType: json, body: Buffer.from('\uFEFF{}', 'utf16le') },
    400,
    'Bad request: the body is not UTF-8',
  ],
  ['a key twice in curl -d', { contentType: form, body: '{"a":1,"a":2}' }, 400, /duplicate key "a"/],
  [
    'too many form fields',
    { contentType: form, body: many },
    400,
    'Bad request: more than 1000 parameters (limits.parameters), got 1001',
  ],
  [
    'too many members',
    {
      contentType: json,
      body: JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`a${i}`, 1]))),
    },
    400,
    'Bad request: more than 1000 parameters (limits.parameters), got 1001',
  ],
  [
    'too many query parameters',
    { ...get, query: many },
    400,
    'Bad request: more than 1000 parameters (limits.parameters), got 1001',
  ],
  [
    'too many parts',
    { contentType: multi, body: `${Array.from({ length: 1001 }, (_, i) => part(`a${i}`, 'b')).join('')}--XX--\r\n` },
    400,
    'Bad request: more than 1000 parameters (limits.parameters), got 1001',
  ],
];

test.each(refused)('refused: %s', async (_, row, status, text) => {
  const error = await send(row).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(Refusal);
  expect(error).toMatchObject({ status, message: typeof text === 'string' ? text : expect.stringMatching(text) });
});

test.each([
  ['in a query', { ...get, query: 'a=1&callback=f' }, { a: '1' }, 'f'],
  ['in a query, twice', { ...get, query: 'callback=f&callback=g' }, {}, 'f'],
  ['of jQuery', { ...get, query: 'callback=jQuery360_17.x&_=17' }, {}, 'jQuery360_17.x'],
  ['in the query of a POST', { query: 'callback=f' }, {}, null],
  ['in a form', { contentType: form, body: 'a=1&callback=f' }, { a: '1' }, null],
  ['in JSON', { contentType: json, body: '{"a":1,"callback":null}' }, { a: 1 }, null],
  ['in the JSON of a write', { ...write, contentType: json, body: '{"callback":"f"}' }, {}, null],
])('a callback %s makes the call anonymous', async (_, row, params, callback) => {
  expect(await send(row)).toEqual({ params, records: null, anonymous: true, callback });
});

test.each(['', '1f', 'f(', 'a b', 'f;g', '<f>', "f'", 'a\\u0062', 'é', 'f\n', '.f', `f${'o'.repeat(128)}`])(
  'the callback %j is no name, and would be run',
  async (name) => {
    const query = `a=1&callback=${encodeURIComponent(name)}`;
    await expect(send({ ...get, query })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching('callback must be'),
    });
    expect(await send({ query })).toMatchObject({ anonymous: true, callback: null });
  },
);

test('a quotation of a body never ends in half a character', async () => {
  const error = await send({ contentType: json, body: `["${'x'.repeat(197)}\u{1f600}"]` }).catch((thrown) => thrown);
  expect(error.message).toBe(
    `Bad request: JSON Error: Request data JSON decoded to ['${'x'.repeat(197)}… but it needs to be a dictionary.`,
  );
});

test('a callback beside a form that wins is not there', async () => {
  expect(await send({ contentType: form, query: 'callback=f', body: 'a=2' })).toMatchObject({ anonymous: false });
});

test.each([
  ['form', { contentType: form, body: '__proto__=x&constructor=y' }],
  ['query', { ...get, query: '__proto__=x&constructor=y' }],
  ['JSON', { contentType: json, body: '{"__proto__":"x","constructor":"y"}' }],
  ['multipart', { contentType: multi, body: `${part('__proto__', 'x')}${part('constructor', 'y')}--XX--\r\n` }],
])('dangerous names in a %s are plain members', async (_, row) => {
  const { params } = await send(row);
  expect(Object.entries(params)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
});

test('a thousand parameters are let in, in every form', async () => {
  const names = Array.from({ length: 1000 }, (_, i) => `a${i}`);
  const pairs = names.map((name) => `${name}=1`).join('&');
  const parts = `${names.map((name) => part(name, '1')).join('')}--XX--\r\n`;
  for (const row of [
    { ...get, query: pairs },
    { contentType: form, body: pairs },
    { contentType: multi, body: parts },
    { contentType: 'multipart/form-data; boundary="XX"; charset=utf-8', body: parts },
  ]) {
    expect(Object.keys((await send(row)).params)).toEqual(names);
  }
});

test('a form of nothing but ampersands is refused before it is taken apart', async () => {
  // If the form were split before its size is checked, this would run out of memory or time.
  const large = { contentType: form, body: '&a'.repeat(50_000_000) };
  await expect(send(large)).rejects.toThrow('more than 256000 bytes (limits.questionBytes)');
  const small = { contentType: form, body: '&a'.repeat(100_000) };
  await expect(send(small)).rejects.toThrow('more than 1000 parameters (limits.parameters), got 100001');
});

test('a long body is decoded in pieces that cut no character', async () => {
  for (const unit of ['a', 'é', '€', '😀', 'aé€😀'])
    for (const shift of ['', 'a', 'ab', 'abc']) {
      const records = [{ t: shift + unit.repeat(1_200_000 / Buffer.byteLength(unit)) }];
      const sent = await send({ ...write, contentType: json, body: JSON.stringify({ records }) });
      expect(JSON.stringify(await sent.records?.()) === JSON.stringify(records)).toBe(true);
    }
});
