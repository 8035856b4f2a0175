import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { find, thisMachine } from '../support/servers/programs.ts';

/** The built gateway, which Node runs without flags. */
export const program = resolve(import.meta.dirname, '../../dist/main.js');

/** The request that is sent again and again. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** `{n}` in path and body is 1, 2, … up to this, and again from 1. */
  readonly cycle?: number;
  /** Beside `cycle`: once through, and that is all, however many seconds there are left. */
  readonly once?: boolean;
  /** Beside `cycle`: `{size}` in the path is any number from 0 up to this. */
  readonly sizes?: number;
  /** `{n}` in the path, which must be there once, is any number from 1 up to this. There is no body. */
  readonly random?: number;
}
export interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** Installs wrk where it is missing and can be, by apt-get; else says what to do. */
export async function ensureWrk(): Promise<void> {
  const machine = thisMachine();
  if (find('wrk', machine) === null && machine.packager === 'apt' && machine.root) await machine.install(['wrk']);
  if (find('wrk', machine) === null || find('taskset', machine) === null)
    throw new Error('the benchmarks need wrk and taskset: apt-get install wrk util-linux');
}

/** A server on these cores. Give a measured process the first one to itself: load comes from the second. */
export async function pinned(args: readonly string[], cores: '0' | '1' | '0,1' = '0') {
  const child = spawn('taskset', ['-c', cores, process.execPath, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const url = await new Promise<string>((found, failed) => {
    const listen = (chunk: Buffer) => {
      said += chunk;
      const address = /"address":"([^"]+)".*"msg":"started"/.exec(said)?.[1];
      if (address === undefined) return;
      // A line for each call is to be read, but not to be searched: that would take a core of the measured ones.
      child.stderr.off('data', listen).resume();
      found(address);
    };
    child.stderr.on('data', listen);
    child.once('exit', () => failed(new Error(`it did not start:\n${said}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Sends one request again and again from the second core. Throws when an answer is no 2xx or 3xx, or there is none. */
export async function wrk(url: string, request: Request, connections: number, seconds: number): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-load-'));
  const script = join(folder, 'request.lua');
  const lua = (text: string) => `"${text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))}"`;
  writeFileSync(
    script,
    [
      `wrk.method = ${lua(request.method)}`,
      ...Object.entries(request.headers).map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`),
      ...(request.body === undefined ? [] : [`wrk.body = ${lua(request.body)}`]),
      ...(request.cycle === undefined
        ? []
        : counting(request.cycle, request.once === true, request.sizes ?? 0, lua(request.path))),
      ...(request.random === undefined ? [] : drawing(request.random, lua(request.path))),
      'done = function(summary, latency, requests)',
      '  local e = summary.errors',
      '  io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))',
      'end',
    ].join('\n'),
  );
  try {
    const args = [
      '-c',
      '1',
      'wrk',
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '20s',
      '-s',
      script,
      `${url}${request.path.replace('{n}', '1').replace('{size}', '1')}`,
    ];
    const { stdout } = await promisify(execFile)('taskset', args);
    const [requests = 0, duration = 1, p99 = 0, errors = 1] = (/RESULT (.*)/.exec(stdout)?.[1] ?? '')
      .split(' ')
      .map(Number);
    if (requests === 0 || errors > 0) throw new Error(`${errors} errors in ${requests} requests:\n${stdout}`);
    return { perSecond: requests / (duration / 1e6), p99: p99 / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Joins each request of two halves: to write it anew would take as long as to answer it. */
function drawing(most: number, path: string): readonly string[] {
  return [
    'math.randomseed(20261122)',
    'local random = math.random',
    'local before, after',
    'init = function()',
    `  local one = wrk.format(nil, (string.gsub(${path}, "{n}", "@@")))`,
    '  local from, to = string.find(one, "@@", 1, true)',
    '  before, after = string.sub(one, 1, from - 1), string.sub(one, to + 1)',
    'end',
    'request = function()',
    `  return before .. random(${most}) .. after`,
    'end',
  ];
}

/** Makes each request of the numbered one. */
function counting(cycle: number, once: boolean, sizes: number, path: string): readonly string[] {
  return [
    'local n = 0',
    'local body = wrk.body',
    'request = function()',
    `  n = n % ${cycle} + 1`,
    `  local path = string.gsub(string.gsub(${path}, "{size}", math.random(0, ${sizes})), "{n}", n)`,
    `  return wrk.format(nil, path, nil, body and (string.gsub(body, "{n}", n)))`,
    'end',
    ...(once ? ending(cycle) : []),
  ];
}

/** Ends when so many have been answered: a stopped thread only waits for the others, and they for the clock. */
function ending(most: number): readonly string[] {
  return [
    'local answered, failed = 0, 0',
    'response = function(status)',
    '  answered = answered + 1',
    '  if status ~= 200 then failed = failed + 1 end',
    `  if answered < ${most} then return end`,
    '  io.write(string.format("RESULT %d 1 0 %d\\n", answered, failed))',
    '  io.flush()',
    '  os.exit(0)',
    'end',
  ];
}
