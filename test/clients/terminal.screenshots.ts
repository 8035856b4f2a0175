/** Records README's first commands in a clean clone, as `docs/pictures/demo.svg`: `npm run screenshots`. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { root } from '../support/docs/fences.ts';
import { freePort } from '../support/servers/scope.ts';
import { drawTerminal, type ShownLine } from './terminal-svg.ts';

const run = promisify(execFile);
const folder = process.env.SCREENSHOTS ?? resolve(root, 'docs/pictures');
const clone = mkdtempSync(join(tmpdir(), 'gateway-terminal-'));
/** npm says nothing of its own funding, audits and the warnings of packages. */
const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_loglevel: 'error' };
let serving: ChildProcess | null = null;
afterAll(() => {
  if (serving?.pid !== undefined) process.kill(-serving.pid, 'SIGTERM');
  rmSync(clone, { recursive: true, force: true });
});

test('demo', { timeout: 180_000 }, async () => {
  await run('git', ['clone', '--quiet', root, clone]);
  const port = await freePort();
  const asShown = (text: string) => text.replaceAll(`:${port}`, ':8000').replace(/dsg_[\w-]{43}/g, 'dsg_…');
  const asReal = (text: string) => text.replaceAll(':8000', `:${port}`);
  const lines: ShownLine[] = [];
  let last = Date.now();
  const show = (kind: ShownLine['kind'], text: string) => {
    const after = Date.now() - last;
    last += after;
    // A long wait is cut from the picture: this says so.
    if (kind === 'output' && after > 2000)
      lines.push({ after, kind: 'note', text: `# ${Math.round(after / 1000)} s later` });
    lines.push({ after: kind === 'output' && after > 2000 ? 0 : after, kind, text });
  };

  const first = 'npm ci && npm start';
  show('typed', first);
  const env = { ...process.env, ...quiet };
  serving = spawn('sh', ['-c', `${first} -- --port ${port}`], { cwd: clone, env, detached: true });
  await new Promise<void>((served, failed) => {
    let rest = '';
    serving?.once('exit', (code) => failed(new Error(`${first} ended with ${code}`)));
    serving?.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const [end = '', ...complete] = `${rest}${text}`.split('\n').reverse();
      rest = end;
      for (const line of complete.reverse()) {
        if (line.startsWith('Search, insert')) served();
        if (line !== '' && !line.startsWith('>') && !/^(?:curl|Search, insert)/.test(line))
          show('output', asShown(line));
      }
    });
  });
  const second = `curl 'http://127.0.0.1:8000/datastore/dump/airports?format=csv&sort=elevation+desc&limit=4'`;
  show('output', '');
  show('typed', second);
  const { stdout } = await run('sh', ['-c', asReal(second)]);
  for (const line of stdout.trim().split('\n')) show('output', line);

  expect(lines.map(({ text }) => text)).toContain('The demo is served at http://127.0.0.1:8000/');
  expect(lines.length).toBeGreaterThan(10);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'demo.svg'), drawTerminal('The demo starts, and curl downloads a table', lines));
});
