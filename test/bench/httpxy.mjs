// A proxy by httpxy's web(), to measure against. argv: the address of the application.
import { Agent, createServer } from 'node:http';
import { createProxyServer } from 'http-proxy';

const agent = new Agent({ keepAlive: true });
const proxy = createProxyServer({ target: process.argv[2], agent });
proxy.on('error', (_error, _req, res) => (res.headersSent ? res.destroy() : res.writeHead(502).end()));

const server = createServer((req, res) => proxy.web(req, res));
server.listen(0, '127.0.0.1', () =>
  console.error(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}`, msg: 'started' })),
);
