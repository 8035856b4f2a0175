/** When keys are fetched, by a clock of the test, from a real server. */
import { gzipSync } from 'node:zlib';
import { errors } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { KeySet, keyLimits } from '../../../../src/accept/logins/key-set.ts';
import { Refusal } from '../../../../src/model/errors.ts';
import {
  type IdentityProvider,
  identityProvider,
  type SigningKey,
  signingKey,
} from '../../../support/identity-provider.ts';

let provider: IdentityProvider;
let other: IdentityProvider;
let [first, second]: SigningKey[] = [];
/** Milliseconds of the test's clock. */
let now = 0;
const events = { changed: vi.fn(), lost: vi.fn(), found: vi.fn() };

beforeAll(async () => {
  [first, second] = await Promise.all([signingKey('first'), signingKey('second')]);
  [provider, other] = await Promise.all([identityProvider([]), identityProvider([])]);
});
beforeEach(() => {
  provider.keys = first === undefined ? [] : [first];
  provider.answer = null;
  provider.fetched.length = 0;
  other.fetched.length = 0;
  now = 0;
  vi.resetAllMocks();
});
afterAll(() => Promise.all([provider?.close(), other?.close()]));

const quick = { ...keyLimits, timeoutMs: 100 };
/** The server is in this process, which other questions keep busy. */
const patient = { ...keyLimits, timeoutMs: 60_000 };
const open = (limits = patient, jwksUrl: string | null = provider.jwksUrl) =>
  new KeySet({ issuer: provider.issuer, jwksUrl }, events, () => now, limits);
/** What a login gets for a `kid`: the key, or why not. */
async function ask(keys: KeySet, kid = 'first'): Promise<string> {
  try {
    const key = await keys.keyOf({ alg: 'ES256', kid }, { payload: '', signature: '' });
    return 'type' in key ? String(key.type) : 'a secret';
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'no such key';
    if (error instanceof Refusal) return `${error.status} ${error.message}`;
    throw error;
  }
}
const unchecked = '503 this login cannot be checked now, try again';
const down = () => {
  provider.answer = (_, response) => response.writeHead(500).end();
};

test('keys are fetched by the first login, and again after ten minutes', async () => {
  const keys = open();
  expect(provider.fetched).toEqual([]);
  expect(await Promise.all([ask(keys), ask(keys), ask(keys)])).toEqual(['public', 'public', 'public']);
  now = keyLimits.freshMs - 1;
  expect(await ask(keys)).toBe('public');
  expect(provider.fetched).toEqual(['/keys']);
  now += 1;
  expect(await ask(keys)).toBe('public');
  expect(provider.fetched).toEqual(['/keys', '/keys']);
  expect(events.changed).not.toHaveBeenCalled();
});

test('10,000 unknown kids cost one fetch in 30 seconds', async () => {
  const keys = open();
  expect(await ask(keys)).toBe('public');
  const attack = async () => {
    const all = await Promise.all(Array.from({ length: 10_000 }, (_, nth) => ask(keys, `../../${nth}`)));
    expect(new Set(all)).toEqual(new Set(['no such key']));
  };
  await attack();
  expect(provider.fetched).toHaveLength(1);
  for (const fetches of [2, 3, 4]) {
    now += keyLimits.refetchMs;
    await attack();
    expect(provider.fetched).toHaveLength(fetches);
  }
  expect(await ask(keys)).toBe('public');
});

test('a new key is found when a token names it, and a removed one is gone with the next fetch', async () => {
  const keys = open();
  await ask(keys);
  provider.keys = second === undefined ? [] : [second];
  now = keyLimits.refetchMs;
  expect(await ask(keys, 'first')).toBe('public');
  expect(events.changed).not.toHaveBeenCalled();
  expect(await ask(keys, 'second')).toBe('public');
  expect(events.changed).toHaveBeenCalledTimes(1);
  expect(await ask(keys, 'first')).toBe('no such key');
});

test('while keys cannot be fetched, the last ones go on for an hour, and an unknown one cannot be judged', async () => {
  const keys = open();
  await ask(keys);
  down();
  for (now = keyLimits.freshMs; now < keyLimits.usableMs; now += 60_000) {
    expect(await ask(keys)).toBe('public');
    expect(await ask(keys, 'second')).toBe(unchecked);
  }
  // One attempt a minute, however many logins there are.
  expect(provider.fetched).toHaveLength(51);
  expect(events.lost).toHaveBeenCalledTimes(1);
  expect(await ask(keys)).toBe(unchecked);
  provider.answer = null;
  now += keyLimits.retryMs;
  expect(await ask(keys)).toBe('public');
  expect(events.found).toHaveBeenCalledTimes(1);
  expect(events.changed).not.toHaveBeenCalled();
});

test('before the first keys nobody logs in, and the issuer is asked every five seconds', async () => {
  down();
  const keys = open();
  for (let login = 0; login < 5; login++) expect(await ask(keys)).toBe(unchecked);
  expect(provider.fetched).toHaveLength(1);
  expect(keys.age).toBe(Number.POSITIVE_INFINITY);
  now = keyLimits.retryMs;
  expect(await ask(keys)).toBe(unchecked);
  expect(provider.fetched).toHaveLength(2);
});

let sentBytes = 0;
const late = /timed? ?out|timeout/i;
test.each<[string, IdentityProvider['answer'], string | RegExp]>([
  ['never answered', () => undefined, late],
  [
    'a byte at a time',
    (_, response) => {
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drip));
    },
    late,
  ],
  [
    'a gigabyte',
    (_, response) => {
      sentBytes = 0;
      const piece = Buffer.alloc(100_000, ' ');
      const more = () => {
        while (sentBytes < 1e9 && !response.destroyed) {
          sentBytes += piece.length;
          if (!response.write(piece)) return response.once('drain', more);
        }
        return response.end();
      };
      more();
    },
    'is longer than 256000 bytes',
  ],
  [
    'a megabyte in a kilobyte',
    (_, response) => {
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync(Buffer.alloc(1e6, ' ')));
    },
    'is longer than 256000 bytes',
  ],
  [
    'a redirect',
    (_, response) => {
      response.writeHead(302, { Location: other.jwksUrl }).end();
    },
    'is answered with status 302',
  ],
  [
    'an empty 204',
    (_, response) => {
      response.writeHead(204).end();
    },
    'is answered with status 204',
  ],
  [
    'a closed connection',
    ({ socket }) => {
      socket.destroy();
    },
    /./,
  ],
  [
    'a login page',
    (_, response) => {
      response.end('<html>');
    },
    /JSON/,
  ],
  [
    'JSON without keys',
    (_, response) => {
      response.end('{"keys": 7}');
    },
    /malformed/,
  ],
])('keys that are %s are not taken', async (_, answer, why) => {
  provider.answer = answer;
  expect(await ask(open(why === late ? quick : patient))).toBe(unchecked);
  const [[cause] = []] = events.lost.mock.calls;
  expect(String(cause)).toMatch(why);
  expect(other.fetched).toEqual([]);
  expect(sentBytes).toBeLessThan(20e6);
});

test('a server that is not there is named in the log', async () => {
  const gone = await identityProvider([]);
  await gone.close();
  expect(await ask(open(patient, gone.jwksUrl))).toBe(unchecked);
  expect(String(events.lost.mock.calls[0]?.[0])).toContain('ECONNREFUSED');
});

test('without jwksUrl, the discovery document names the keys, and is read again with them', async () => {
  const keys = open(patient, null);
  expect(await ask(keys)).toBe('public');
  now = keyLimits.freshMs;
  expect(await ask(keys)).toBe('public');
  const both = ['/.well-known/openid-configuration', '/keys'];
  expect(provider.fetched).toEqual([...both, ...both]);
});

test.each<[string, () => object]>([
  ['another issuer', () => ({ issuer: other.issuer, jwks_uri: other.jwksUrl })],
  ['no issuer', () => ({ jwks_uri: other.jwksUrl })],
  ['keys over http', () => ({ issuer: provider.issuer, jwks_uri: 'http://192.0.2.1/keys' })],
  ['keys in a file', () => ({ issuer: provider.issuer, jwks_uri: 'file:///dev/zero' })],
  ['no keys', () => ({ issuer: provider.issuer })],
  ['a list', () => []],
])('a discovery document with %s is not followed', async (_, document) => {
  provider.answer = (_, response) => response.end(JSON.stringify(document()));
  expect(await ask(open(patient, null))).toBe(unchecked);
  expect(String(events.lost.mock.calls[0]?.[0])).toMatch(/the discovery document names/);
  expect([provider.fetched.length, other.fetched]).toEqual([1, []]);
});
