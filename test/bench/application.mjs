// The upstream application of proxy benchmarks: it answers a GET with 15 kB, and reads a whole POST and answers with its length.
import { createServer } from 'node:http';

const page = Buffer.alloc(15_000, 'a page of the application ');
const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': page.length, 'Set-Cookie': 'a=1' };

const server = createServer((req, res) => {
  if (req.method === 'GET') return res.writeHead(200, headers).end(page);
  let length = 0;
  req.on('data', (chunk) => {
    length += chunk.length;
  });
  req.on('end', () => res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ length })));
});
server.listen(0, '127.0.0.1', () =>
  console.error(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}`, msg: 'started' })),
);
