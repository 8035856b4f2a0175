/** `.devcontainer` opens the demo in a container like the one of the image. No package has the format's published schema: these are the parts that we use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { root } from '../support/docs/pages.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const command = z.string().regex(/^npm (?:ci|start)$/);
/** Any other key is a mistake, or must be added here. */
const format = z.strictObject({
  $schema: z.url(),
  name: z.string(),
  image: z.string(),
  postCreateCommand: command,
  postAttachCommand: command,
  forwardPorts: z.array(z.int().min(0).max(65535)),
  portsAttributes: z.record(
    z.string(),
    z.strictObject({
      label: z.string(),
      onAutoForward: z.enum(['notify', 'openBrowser', 'openBrowserOnce', 'openPreview', 'silent', 'ignore']),
    }),
  ),
  customizations: z.strictObject({
    vscode: z.strictObject({ extensions: z.array(z.string().regex(/^[\w-]+\.[\w-]+$/)) }),
  }),
});

test('it has the Node and the port of the image, and builds before it serves', () => {
  const container = format.parse(JSON.parse(read('.devcontainer/devcontainer.json')));
  const dockerfile = read('config/Dockerfile');
  const [, node] = /^ARG NODE=(\d+)$/m.exec(dockerfile) ?? [];
  const [, port] = /^EXPOSE (\d+)$/m.exec(dockerfile) ?? [];
  expect(container.image).toBe(`node:${node}-bookworm`);
  expect(container.forwardPorts).toEqual([Number(port)]);
  expect(Object.keys(container.portsAttributes)).toEqual([port]);
  expect([container.postCreateCommand, container.postAttachCommand]).toEqual(['npm ci', 'npm start']);
});
