// The cost of Node alone: a server that reads the same body and sends the same bytes, including the headers. argv: the file with the answers.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { whole, unchanged, etag } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const body = Buffer.from(whole.body);

const server = createServer((req, res) => {
  const answer = () => {
    if (req.headers['if-none-match'] === etag) res.writeHead(304, unchanged.head).end();
    else res.writeHead(200, whole.head).end(body);
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
