import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program to run. Its environment is exactly `env`: a developer's PGPORT or MYSQL_HOME must not affect it. */
export interface Program {
  readonly name: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** What a server prints once it accepts connections. */
  readonly ready?: RegExp;
}

/** Everything that a test run has started and written. `close` stops and removes all of it. */
export interface Scope {
  readonly folder: string;
  /** Runs a program to its end and returns its output. */
  run(program: Program, args: readonly string[]): Promise<string>;
  /** Starts a server on a free loopback port. Returns the port once the server reports that it is ready. */
  serve(program: Program, args: (port: number) => readonly string[]): Promise<number>;
  /** Stops the server at a port with a signal, or waits if it is already ending. @returns a function that restarts it on the same port with its data */
  stop(port: number, signal: NodeJS.Signals): Promise<() => Promise<void>>;
  /** Pauses or continues the server at a port. */
  signal(port: number, signal: 'SIGSTOP' | 'SIGCONT'): void;
  close(): Promise<void>;
}

const usual = /ready (to accept|for) (read-only )?connections/i;
const startLimit = 60_000;
const closeLimit = 20_000;

/** Opens a scope in a new temporary folder. `keeper.sh` watches this process from outside, and cleans up even after a SIGKILL. */
export function openScope(): Scope {
  const folder = mkdtempSync(join(place(), 'gateway-test-'));
  // Other users need access to the folders inside: PostgreSQL refuses to run as root.
  chmodSync(folder, 0o711);
  const keeper = spawn('sh', [join(import.meta.dirname, 'keeper.sh'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  keeper.stdin.on('error', () => undefined);
  const groups = new Set<number>();
  const tellKeeper = (then?: () => void) => keeper.stdin.write(`${[...groups].join(' ')}\n`, then);

  /** `detached` gives it a process group of its own, so that Ctrl-C in the terminal reaches only us, and the keeper stops the servers in order. */
  const launch = ({ name, file, env, user }: Program, args: readonly string[]) => {
    const log = join(folder, `${name}.log`);
    const output = openSync(log, 'w');
    // The shell waits for a line before it becomes the program. If we are killed before the keeper knows its group, the line never comes and nothing
    // is left running.
    const child = spawn('/bin/sh', ['-c', 'read -r go && exec "$@"', 'sh', file, ...args], {
      ...{ cwd: folder, env, detached: true, ...user },
      stdio: ['pipe', output, output],
    });
    closeSync(output);
    child.stdin?.on('error', () => undefined);
    let ended: string | undefined;
    const end = (how: string) => {
      ended = how;
      if (child.pid !== undefined && groups.delete(child.pid)) tellKeeper();
    };
    child.on('error', (error) => end(error.message));
    child.on('exit', (code, signal) => end(code === 0 ? 'done' : `ended with ${code ?? signal}`));
    if (child.pid !== undefined) {
      groups.add(child.pid);
      tellKeeper(() => child.stdin?.end('go\n'));
    }
    return { pid: child.pid ?? 0, said: () => readFileSync(log, 'utf8'), ended: () => ended };
  };
  type Launched = ReturnType<typeof launch>;
  const serving = new Map<number, Launched & { readonly again: () => Launched; readonly program: Program }>();
  const failure = (name: string, how: string, said: string) =>
    new Error(`${name} ${how}. Its last words:\n${said.trimEnd().split('\n').slice(-20).join('\n')}`);

  /** Whether the server became ready; false if it ended first. */
  const isReady = async ({ name, ready = usual }: Program, { said, ended }: Launched, limit: number) => {
    // We check the log, not the port, because another process may be listening there.
    for (; ended() === undefined; await sleep(20)) {
      if (ready.test(said())) return true;
      if (Date.now() > limit) throw failure(name, `was not ready after ${startLimit} ms`, said());
    }
    return false;
  };

  return {
    folder,
    async run(program, args) {
      const { said, ended } = launch(program, args);
      for (const limit = Date.now() + startLimit; ended() === undefined; await sleep(10)) {
        if (Date.now() > limit) throw failure(program.name, `was not done after ${startLimit} ms`, said());
      }
      if (ended() !== 'done') throw failure(program.name, ended() ?? '', said());
      return said();
    },
    async serve(program, args) {
      const limit = Date.now() + startLimit;
      // The port was free a moment ago, but another process may have taken it since.
      for (let attempt = 1; ; attempt++) {
        const port = await freePort();
        const again = () => launch(program, args(port));
        const launched = again();
        if (await isReady(program, launched, limit)) {
          serving.set(port, { ...launched, again, program });
          return port;
        }
        const { said, ended } = launched;
        if (attempt === 3 || !/in use/i.test(said())) throw failure(program.name, ended() ?? '', said());
      }
    },
    async stop(port, signal) {
      const server = serving.get(port);
      if (server === undefined) throw new Error(`nothing of this scope is at ${port}`);
      if (server.ended() === undefined) process.kill(server.pid, signal);
      for (const limit = Date.now() + closeLimit; server.ended() === undefined; await sleep(10))
        if (Date.now() > limit) throw new Error(`${signal} does not end the server at ${port}`);
      return async () => {
        const launched = server.again();
        serving.set(port, { ...server, ...launched });
        if (!(await isReady(server.program, launched, Date.now() + startLimit)))
          throw failure('again', launched.ended() ?? '', launched.said());
      };
    },
    signal(port, signal) {
      const server = serving.get(port);
      if (server === undefined) throw new Error(`nothing of this scope is at ${port}`);
      process.kill(server.pid, signal);
    },
    async close() {
      keeper.stdin.end();
      for (const limit = Date.now() + closeLimit; keeper.exitCode === null && Date.now() < limit; ) await sleep(10);
      if (keeper.exitCode !== 0) throw new Error(`${folder} could not be removed`);
    },
  };
}

/**
 * A RAM disk if it has room for the databases of a whole run, else the temporary folder: copying an empty database takes a fifth of the time, and
 * servers do not wait for a disk. `TMPDIR` overrides this.
 */
function place(): string {
  const memory = '/dev/shm';
  const requiredBytes = 4 * 2 ** 30;
  if (process.env.TMPDIR !== undefined) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, freemem() - requiredBytes) < requiredBytes ? tmpdir() : memory;
  } catch {
    return tmpdir();
  }
}

/** A loopback port that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free loopback port');
  return address.port;
}
