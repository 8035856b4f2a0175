import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { find, thisMachine } from '../support/servers/programs.ts';

/** The built gateway, run by Node without additional flags. */
export const program = resolve(import.meta.dirname, '../../dist/main.js');

/** The request to repeat. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** `{n}` in path and body counts from 1 to this, again and again. */
  readonly cycle?: number;
  /** With `cycle`: stop after one cycle, even if there is time left. */
  readonly once?: boolean;
  /** With `cycle`: `{size}` in the path is a random number from 0 to this. */
  readonly sizes?: number;
  /** `{n}`, which the path must contain exactly once, is a random number from 1 to this. There must be no body. */
  readonly random?: number;
}
export interface Load {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p99: number;
}

/** Installs wrk with apt-get if it is missing and that is possible. Otherwise throws with instructions. */
export async function ensureWrk(): Promise<void> {
  const machine = thisMachine();
  if (find('wrk', machine) === null && machine.packager === 'apt' && machine.root) await machine.install(['wrk']);
  if (find('wrk', machine) === null || find('taskset', machine) === null)
    throw new Error('the benchmarks need wrk and taskset: apt-get install wrk util-linux');
}

/** Starts a server on these cores. A measured process should have the first core for itself, because the load comes from the second. */
export async function pinned(args: readonly string[], cores: '0' | '1' | '0,1' = '0') {
  const child = spawn('taskset', ['-c', cores, process.execPath, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((found, failed) => {
    const listen = (chunk: Buffer) => {
      output += chunk;
      const address = /"address":"([^"]+)".*"msg":"started"/.exec(output)?.[1];
      if (address === undefined) return;
      // From now on the output is read but not searched, because that would cost as much as a core.
      child.stderr.off('data', listen).resume();
      found(address);
    };
    child.stderr.on('data', listen);
    child.once('exit', () => failed(new Error(`it did not start:\n${output}`)));
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

/** Repeats a request from the second core. Throws if an answer is missing, or is not a 2xx or 3xx. */
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

/** Lua code that joins a request from two halves: formatting the whole request would take as long as answering it. */
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

/** Lua code that builds numbered requests. */
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

/** Lua code that stops after this many answers. wrk's own stop only pauses the thread until the time is up. */
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
