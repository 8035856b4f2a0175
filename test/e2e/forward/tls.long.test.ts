import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dial, pause } from '../../support/http-server.ts';
import { openProgram } from '../../support/program.ts';
import { has } from '../../support/servers/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
const file = (name: string) => join(folder, name);
const withOpenssl = test.runIf(has('openssl'));
const program = openProgram();
let application: Server;
let seen: string[] = [];
/** For each connection, whether its TLS session was resumed. */
const resumed: boolean[] = [];

/** Starts the gateway in front of the application, which it reaches under this host name. */
const serve = async (host: string, env: Readonly<Record<string, string>>) => {
  const { port } = Object(application.address()) as AddressInfo;
  const settings = {
    server: { port: 0 },
    upstream: { url: `https://${host}:${port}` },
    databases: { away: { client: 'mysql', connection: 'mysql://127.0.0.1:9/away' } },
    resources: { away: { database: 'away', table: 't' } },
  };
  writeFileSync(file('gateway.yaml'), JSON.stringify(settings));
  const running = await program.serve(['serve', file('gateway.yaml')], env);
  if (!('url' in running)) throw new Error(running.stderr);
  return running;
};

beforeAll(async () => {
  const certificateOptions = ['-keyout', file('key.pem'), '-out', file('cert.pem'), '-days', '2', '-nodes'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const subject = ['-subj', '/CN=application', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...certificateOptions, ...subject], { stdio: 'ignore' });
  application = createServer(
    { key: readFileSync(file('key.pem')), cert: readFileSync(file('cert.pem')) },
    (req, res) => {
      seen.push(`${req.method} ${req.url}`);
      req.pipe(res.writeHead(200, { 'X-Host': req.headers.host }));
    },
  );
  application.on('secureConnection', (socket: TLSSocket) => resumed.push(socket.isSessionReused()));
  application.on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    socket.on('error', () => undefined).pipe(socket);
  });
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  application.closeAllConnections();
  application.close();
  program.remove();
  rmSync(folder, { recursive: true, force: true });
});

withOpenssl.each([
  ['no authority has signed', 'localhost', () => ({}), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [
    'belongs to another name',
    '127.0.0.1',
    () => ({ NODE_EXTRA_CA_CERTS: file('cert.pem') }),
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ],
])('an application gets to see nothing when it shows a certificate that %s', async (_, host, env, code) => {
  seen = [];
  const running = await serve(host, env());
  const answer = await fetch(`${running.url}/page`, { headers: { Authorization: 'theirs' } });
  expect([answer.status, await answer.json()]).toEqual([
    502,
    'Bad Gateway: the application behind the gateway shows no certificate that is trusted',
  ]);
  await running.stop();
  expect(running.said()).toMatch(new RegExp(`"status":502,.*"cause":"Error ${code}: `));
  expect(seen).toEqual([]);
});

withOpenssl(
  'an application with a certificate of a configured authority is called over TLS, for WebSockets too',
  async () => {
    const running = await serve('localhost', { NODE_EXTRA_CA_CERTS: file('cert.pem') });
    resumed.splice(0);
    const times = 500;
    for (let nth = 0; nth <= times; nth++) {
      // Longer than idle connections are kept.
      if (nth === times) await pause(1500);
      const answer = await fetch(`${running.url}/page`, { method: 'POST', body: 'x'.repeat(100_000) });
      expect([answer.status, await answer.text()]).toEqual([200, 'x'.repeat(100_000)]);
      expect(answer.headers.get('x-host')).toMatch(/^localhost:/);
    }
    // A new connection is opened after the pause. There may be more: the proxy library closes a connection if the response is complete before Node reports
    // that the request was fully sent.
    expect(resumed.length).toBeGreaterThan(1);
    expect(resumed.length).toBeLessThan(times / 2);
    // Only the first connection needed a full handshake.
    expect(resumed.indexOf(false, 1)).toBe(-1);
    const socket = dial(Number(new URL(running.url).port));
    socket.write('GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await socket.until('101 Switching Protocols');
    socket.write('over TLS');
    await socket.until(/over TLS$/);
    socket.socket.destroy();
    expect((await running.stop()).code).toBe(0);
  },
);
