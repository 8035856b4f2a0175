import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface Pages {
  readonly origin: string;
  close(): void;
}

/** A separate web site: a page and jQuery on another port, which is another origin to the browser. */
export async function servePages(): Promise<Pages> {
  const jquery = readFileSync(createRequire(import.meta.url).resolve('jquery/dist/jquery.min.js'));
  const page = readFileSync(join(import.meta.dirname, 'page.html'));
  const server = createServer((req, res) => {
    const script = req.url === '/jquery.js';
    res.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
    res.end(script ? jquery : page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
