// What Node itself costs: reads the same body and sends the same bytes. argv: the file with the answer.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const body = readFileSync(process.argv[2]);
const etag = '"the-only-one"';
const headers = { 'Content-Type': 'application/json;charset=utf-8', 'Content-Length': body.length, ETag: etag };

const server = createServer((req, res) => {
  const answer = () => {
    if (req.headers['if-none-match'] === etag) res.writeHead(304, { ETag: etag }).end();
    else res.writeHead(200, headers).end(body);
  };
  if (req.method === 'GET') return answer();
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    if (Buffer.concat(chunks).length === 0) res.writeHead(400);
    answer();
  });
});
server.listen(0, '127.0.0.1', () =>
  console.error(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}`, msg: 'started' })),
);
