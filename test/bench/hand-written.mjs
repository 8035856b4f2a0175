// A typical hand-written proxy with node:http, for comparison. argv: the address of the application.
import { Agent, createServer, request } from 'node:http';

const { hostname, port } = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });

const server = createServer((req, res) => {
  const { method, url: path, headers } = req;
  const out = request({ agent, hostname, port, method, path, headers }, (answer) => {
    res.writeHead(answer.statusCode, answer.headers);
    answer.pipe(res);
  });
  out.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()));
  res.on('close', () => out.destroy());
  req.pipe(out);
});
server.listen(0, '127.0.0.1', () =>
  console.error(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}`, msg: 'started' })),
);
