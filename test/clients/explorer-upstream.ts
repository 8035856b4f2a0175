import { once } from 'node:events';
import { createServer } from 'node:http';

/** A web application that answers every request. */
export interface Upstream {
  readonly url: string;
  /** The paths that were requested. */
  readonly requestedPaths: readonly string[];
  close(): void;
}

/** The answer is a small page that contains the path, and the URL in the parameter `of` as a frame. */
export async function openUpstream(): Promise<Upstream> {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, res) => {
    paths.push(url);
    res.setHeader('Content-Type', 'text/html');
    res.end(
      `<!doctype html><title>Portal</title>upstream ${url} <iframe src="${new URL(url, 'http://x').searchParams.get('of') ?? ''}"></iframe>`,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requestedPaths: paths,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
