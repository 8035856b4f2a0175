/** On a terminal the log is formatted for people: a line per event, with colours if the terminal supports them. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Event } from '../../../src/model/events.ts';
import { log } from '../../../src/watch/log.ts';
import { textLine } from '../../../src/watch/text.ts';
import { end } from '../../support/program.ts';
import { find, has, thisMachine } from '../../support/servers/programs.ts';

const answered: Event = {
  on: 'answered',
  id: 'x',
  address: '127.0.0.1',
  action: 'datastore_search',
  resource: 'films',
  caller: 'etl',
  cache: 'miss',
  status: 200,
  milliseconds: 12.34,
  waited: 0,
  queried: 11,
  cause: undefined,
};
const failed: Event = { ...answered, status: 503, cache: null, caller: null, cause: new Error('no "secret" here') };

test.each<[Event, string]>([
  [answered, '200 datastore_search films 12 ms miss etl 127.0.0.1'],
  [failed, 'ERROR 503 datastore_search films 12 ms 127.0.0.1: Error: no … here'],
  [
    { on: 'started', address: 'http://127.0.0.1:8000', admin: null, resources: 1, workers: 1 },
    'serving 1 resource at http://127.0.0.1:8000',
  ],
  [
    { on: 'started', address: 'http://h:1', admin: 'http://h:2', resources: 2, workers: 4 },
    'serving 2 resources at http://h:1 with 4 workers, admin at http://h:2',
  ],
  [{ on: 'reloaded', resources: 2, needRestart: [] }, 'took over the configuration: 2 resources'],
  [
    { on: 'reloaded', resources: 2, needRestart: ['server.port'] },
    'WARNING took over the configuration: 2 resources; only a restart takes over server.port',
  ],
  [
    { on: 'configuration not taken over', complaints: ['a.b is wrong', 'c.d too'] },
    'ERROR did not take over the configuration: a.b is wrong; c.d too',
  ],
  [{ on: 'draining', milliseconds: 10_000 }, 'draining: running calls have 10 s'],
  [{ on: 'stopped' }, 'stopped'],
  [{ on: 'worker started', worker: 2, pid: 77 }, 'worker 2 started as process 77'],
  [
    { on: 'worker ended', worker: 2, pid: 77, why: 'SIGKILL', again: 100 },
    'WARNING worker 2 ended (SIGKILL), the next one starts in 0.1 s',
  ],
  [{ on: 'database reached', database: 'erp', version: 'MySQL 9' }, 'database erp reached: MySQL 9'],
  [
    { on: 'database lost', database: 'erp', why: 'nothing listens on h:1', cause: new Error('x') },
    'WARNING database erp cannot be used: nothing listens on h:1',
  ],
  [
    { on: 'replica lost', database: 'erp', replica: 2, why: 'it is no standby', cause: undefined },
    'WARNING replica 2 of database erp answers no reads: it is no standby',
  ],
  [{ on: 'replica reached', database: 'erp', replica: 2 }, 'replica 2 of database erp answers reads'],
  [{ on: 'warned', text: 'resources.t.table has no key' }, 'WARNING resources.t.table has no key'],
  [
    {
      on: 'queried',
      database: 'erp',
      resource: 'films',
      server: 'primary',
      effect: 'read',
      waited: 0.2,
      queried: 4.6,
    },
    'debug read films in erp: 5 ms, after 0 ms for a connection',
  ],
  [
    { on: 'forwarded', id: 'x', address: '::1', status: 502, milliseconds: 3, cause: new Error('gone') },
    'ERROR 502 passed on 3 ms ::1: Error: gone',
  ],
])('%j', (event, line) => {
  const lines: string[] = [];
  log({ level: 'debug', requests: 'all', format: 'text' }, null, { write: (text) => lines.push(text) })(event);
  expect(lines.map((text) => text.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([`${line}\n`]);
});

test('a line says when, which process, and how bad it is', () => {
  const time = new Date(2026, 1, 3, 4, 5, 6);
  expect(textLine('x', 'info', null, time, false)).toBe('04:05:06 x');
  expect(textLine('x', 'warn', 2, time, false)).toBe('04:05:06 #2 WARNING x');
  expect(textLine('x', 'error', null, time, true)).toBe('\x1b[90m04:05:06\x1b[0m \x1b[31mERROR\x1b[0m x');
});

test('nothing that is logged can move the cursor or make a line of its own', () => {
  const line = textLine('a\x1b[2J\r\nb\x9bc\u202ed\u2028e', 'info', null, new Date(), false);
  expect(line.slice(9)).toBe('a\\u{1b}[2J\\u{d}\\u{a}b\\u{9b}c\\u{202e}d\\u{2028}e');
});

test('the level holds for text, too', () => {
  const lines: string[] = [];
  const emit = log({ level: 'warn', requests: 'all', format: 'text' }, null, { write: (text) => lines.push(text) });
  emit(answered);
  emit({ on: 'warned', text: 'x' });
  expect(lines).toHaveLength(1);
});

const script = find('script', thisMachine());
describe.runIf(has('script'))('a gateway at a terminal', () => {
  let folder: string;
  const configuration = (format?: string) => ({
    server: { port: 0 },
    databases: { away: { client: 'mysql', connection: 'mysql://127.0.0.1:1/away' } },
    resources: { t: { database: 'away', table: 't' } },
    ...(format === undefined ? {} : { log: { format } }),
  });
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-terminal-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The output of the gateway until it exits. */
  async function shown(env: Readonly<Record<string, string>>, format?: string): Promise<string> {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, JSON.stringify(configuration(format)));
    const command = `exec ${process.execPath} ${join(inject('compiled'), 'main.js')} serve ${file}`;
    const child = spawn(script ?? '', ['-qec', command, '/dev/null'], {
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    let output = '';
    let isEnding = false;
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (isEnding || !/serving|started/.test(output)) return;
      isEnding = true;
      // Ctrl-C.
      child.stdin.write('\x03');
    });
    await end(child);
    return output.replaceAll('\r\n', '\n');
  }
  const lost = 'database away cannot be used: nothing listens on 127.0.0.1:1 (connection refused)';

  test('shows text, in colours', async () => {
    const output = await shown({ TERM: 'xterm-256color' });
    expect(output.replaceAll('\x1b', 'ESC')).toMatch(
      /^ESC\[90m\d\d:\d\d:\d\dESC\[0m serving 1 resource at http:\/\/127\.0\.0\.1:\d+$/m,
    );
    expect(output).toContain(` \x1b[33mWARNING\x1b[0m ${lost}\n`);
  });

  test('shows no colours where NO_COLOR is set', async () => {
    const output = await shown({ TERM: 'xterm-256color', NO_COLOR: '1' });
    expect(output).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d WARNING ${lost.replace(/[().]/g, '\\$&')}$`, 'm'));
    expect(output).not.toContain('\x1b');
  });

  test('shows JSON where the configuration says so', async () => {
    expect(await shown({ TERM: 'xterm-256color' }, 'json')).toMatch(/^\{"level":30,.*"msg":"started"\}$/m);
  });
});
