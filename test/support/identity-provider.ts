/** An identity provider on this computer: it serves its public keys, and signs whatever a test asks for. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload } from 'jose';

export interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** The public key, as a key set holds it. */
  readonly jwk: JWK;
}

/** @param algorithm of JWS */
export async function signingKey(kid: string, algorithm = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' };
  return { kid, algorithm, privateKey, publicKey, jwk };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface IdentityProvider {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** The paths that were fetched, oldest first. */
  readonly fetched: string[];
  /** The keys that it publishes. Change them to rotate. */
  keys: readonly SigningKey[];
  /** Answers in place of the published keys and the discovery document; null: it answers them. */
  answer: Answer | null;
  /** Starts again on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function identityProvider(keys: readonly SigningKey[]): Promise<IdentityProvider> {
  let port = 0;
  const usual: Answer = ({ url }, response) => {
    const isDiscovery = url === '/.well-known/openid-configuration';
    const { issuer, jwksUrl } = provider;
    const body = isDiscovery ? { issuer, jwks_uri: jwksUrl } : { keys: provider.keys.map(({ jwk }) => jwk) };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  };
  // A test that keeps this process busy must not make the server close the connection of the next fetch.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    provider.fetched.push(request.url ?? '');
    (provider.answer ?? usual)(request, response);
  });
  const listen = () =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', () => {
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  const provider: IdentityProvider = {
    get issuer() {
      return `http://127.0.0.1:${port}`;
    },
    get jwksUrl() {
      return `http://127.0.0.1:${port}/keys`;
    },
    fetched: [],
    keys,
    answer: null,
    restart: listen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await listen();
  return provider;
}

/** The audience of `tokenOf`. */
export const audience = 'datastore';

/**
 * A valid token, unless the claims and the header say otherwise. `undefined` leaves a claim out.
 * @param atS the time in seconds: the token is issued then, and ends ten minutes later
 */
export function tokenOf(
  issuer: string,
  key: SigningKey,
  claims: JWTPayload = {},
  header: Record<string, unknown> = {},
  atS = Math.floor(Date.now() / 1000),
): Promise<string> {
  const all = { iss: issuer, aud: audience, sub: 'ana', iat: atS, exp: atS + 600, ...claims };
  return signed(key, JSON.stringify(all), header);
}

/** Any text as the claims of a token, with a valid signature. */
export function signed(key: SigningKey, claims: string, header: Record<string, unknown> = {}): Promise<string> {
  const { algorithm, kid, privateKey } = key;
  return new CompactSign(Buffer.from(claims))
    .setProtectedHeader({ alg: algorithm, kid, ...header })
    .sign(privateKey, { crit: { unusual: true } });
}
