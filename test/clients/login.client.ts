/** A real identity provider: programs log in by OAuth's client credentials, and call the gateway with what they get. */
import { createServer, type RequestListener } from 'node:http';
import { exportJWK } from 'jose';
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signingKey } from '../support/identity-provider.ts';
import { insideOf, openSharedTables, recordsIn, type SharedTables } from '../support/rows.ts';
import { anyEngine } from '../support/servers/engines.ts';
import { freePort } from '../support/servers/scope.ts';
import { shiftableClock } from '../support/shifted-clock.ts';

const shift = shiftableClock();
const lifetime = 600;
const client = { client_id: 'etl', client_secret: 'a-secret-of-the-test' };

/** The identity provider, with a new key. */
async function provider(issuer: string, kid: string): Promise<RequestListener> {
  const { privateKey, jwk } = await signingKey(kid, 'RS256');
  return new Provider(issuer, {
    clients: [{ ...client, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    jwks: { keys: [{ ...jwk, ...(await exportJWK(privateKey)) }] },
    extraTokenClaims: () => ({ tenant: 7 }),
    scopes: ['read', 'write'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          ...{ scope: 'read write', audience: resource, accessTokenFormat: 'jwt', accessTokenTTL: lifetime },
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  }).callback();
}

const audience = 'https://data.example.org';
let issuer: string;
let answer: RequestListener;
let shared: SharedTables;
const server = createServer((request, response) => answer(request, response));

beforeAll(async () => {
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  answer = await provider(issuer, 'first');
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const [engine] = anyEngine();
  if (engine === undefined) throw new Error('no engine');
  const grants = [
    { when: { scope: 'write' }, read: ['lines'], write: ['lines'] },
    { when: { scope: 'read' }, read: ['lines'] },
  ];
  shared = await openSharedTables(engine, {
    auth: { jwt: [{ name: 'idp', issuer, audience, type: 'at+jwt', grants }] },
    cache: { ttl: '1h' },
  });
});
afterAll(async () => {
  await shared?.close();
  server.closeAllConnections();
  server.close();
});

/** Logs in as OAuth says (RFC 6749, 4.4; RFC 8707). */
async function logIn(scope: string, resource = audience): Promise<string> {
  const answered = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
  });
  const text = await answered.text();
  const { access_token: token } = JSON.parse(text);
  if (typeof token !== 'string') throw new Error(text);
  return token;
}
const call = async (token: string, action: string, params: object) => {
  const { status, text } = await shared.gateway.call(action, { resource_id: 'lines', ...params }, `Bearer ${token}`);
  return { status, text, body: JSON.parse(text) };
};
/** The ids that a search shows, or the text of its refusal. */
const search = async (token: string) => {
  const { status, body } = await call(token, 'datastore_search', { sort: 'id' });
  return status === 200 ? recordsIn(body.result.records).map(({ id }) => id) : body.error.message;
};
const own = insideOf('line').map(({ id }) => id);

test('a program sees the rows of its claim, by the keys that the discovery document names', async () => {
  expect(await search(await logIn('read'))).toEqual(own);
  const answered = shared.gateway.events.findLast(({ on }) => on === 'answered');
  expect(answered).toMatchObject({ caller: 'idp/etl', status: 200 });
});

test('its scopes decide whether it may write', async () => {
  const record = { records: [{ id: 1, note: 'by a program' }], method: 'update' };
  expect((await call(await logIn('read'), 'datastore_upsert', record)).status).toBe(403);
  expect((await call(await logIn('read write'), 'datastore_upsert', record)).status).toBe(200);
});

test('a token for another service is refused', async () => {
  expect(await search(await logIn('read', 'https://mail.example.org'))).toMatch(/this token is not known$/);
});

test('a token ends, and the next login goes on', async () => {
  const token = await logIn('read');
  expect(await search(token)).toEqual(own);
  shift(lifetime + 31);
  expect(await search(token)).toMatch(/this token has expired$/);
  expect(await search(await logIn('read'))).toEqual(own);
});

test('a new key is taken when it is used first, and the old one is refused from then on', async () => {
  const old = await logIn('read');
  expect(await search(old)).toEqual(own);
  answer = await provider(issuer, 'second');
  shift(31);
  expect(await search(old)).toEqual(own);
  expect(await search(await logIn('read'))).toEqual(own);
  expect(await search(old)).toMatch(/this token is not known$/);
});
