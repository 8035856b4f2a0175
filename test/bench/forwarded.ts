/** Shared by the benchmarks of forwarding: an application, and requests that it answers. */
import { join } from 'node:path';
import { pinned, type Request } from './load.ts';

export const connections = 32;

const headers = { 'User-Agent': 'bench', Accept: '*/*', Cookie: 'session=0123456789abcdef' };
export const requests: readonly (readonly [string, Request])[] = [
  ['GET of 15 kB', { method: 'GET', path: '/dataset/some-page?page=2', headers }],
  [
    'POST of 4 kB',
    {
      method: 'POST',
      path: '/dataset/edit',
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `notes=${'x'.repeat(4000)}`,
    },
  ],
];

/** The application, on the core of the load: the measured process has the first one to itself. */
export const application = () => pinned([join(import.meta.dirname, 'application.mjs')], '1');

/** A proxy of it in one file: `hand-written` or `httpxy`. */
export const proxy = (name: string, url: string) => pinned([join(import.meta.dirname, `${name}.mjs`), url]);
