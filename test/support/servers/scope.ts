import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a program is run. Its environment is exactly `env`: a developer's PGPORT or MYSQL_HOME must not reach it. */
export interface Program {
  readonly name: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** What a server prints when it serves. */
  readonly ready?: RegExp;
}

/** What one test run has started and written; `close` ends and removes all of it. */
export interface Scope {
  readonly folder: string;
  /** Runs a program to its end and returns its output. */
  run(program: Program, args: readonly string[]): Promise<string>;
  /** Starts a server on a free loopback port and returns the port once the server says that it is ready. */
  serve(program: Program, args: (port: number) => readonly string[]): Promise<number>;
  /** Ends the server at a port by a signal, unless it has ended by itself. @returns starts it again, there and with its data */
  stop(port: number, signal: NodeJS.Signals): Promise<() => Promise<void>>;
  /** Sends the server at a port a signal that does not end it. */
  signal(port: number, signal: 'SIGSTOP' | 'SIGCONT'): void;
  close(): Promise<void>;
}

const usual = /ready (to accept|for) (read-only )?connections/i;
const startLimit = 60_000;
const closeLimit = 20_000;

/** Opens a scope in a new temporary folder. `keeper.sh` watches it from outside, so that no way to die leaves anything. */
export function openScope(): Scope {
  const folder = mkdtempSync(join(place(), 'gateway-test-'));
  // Others must be able to pass through: PostgreSQL refuses to run as root.
  chmodSync(folder, 0o711);
  const keeper = spawn('sh', [join(import.meta.dirname, 'keeper.sh'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  keeper.stdin.on('error', () => undefined);
  const groups = new Set<number>();
  const tellKeeper = (then?: () => void) => keeper.stdin.write(`${[...groups].join(' ')}\n`, then);

  /** `detached` makes it a process group of its own: a Ctrl-C at the terminal is the keeper's business, not the server's. */
  const launch = ({ name, file, env, user }: Program, args: readonly string[]) => {
    const log = join(folder, `${name}.log`);
    const output = openSync(log, 'w');
    // It becomes the program only when the keeper knows of it: killed in between, we would leave it running.
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

  /** Whether it came to serve, and did not end before. */
  const isReady = async ({ name, ready = usual }: Program, { said, ended }: Launched, limit: number) => {
    // The log decides, not the port: another process may answer there.
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
      // The port was free a moment ago; on a busy machine another process may have it by now.
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
 * A file system in memory, where there is one with room for the databases of a whole run: to copy an empty database takes a fifth
 * of the time there, and no server waits for a disk. `TMPDIR` is another choice.
 */
function place(): string {
  const memory = '/dev/shm';
  const enough = 4 * 2 ** 30;
  if (process.env.TMPDIR !== undefined) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, freemem() - enough) < enough ? tmpdir() : memory;
  } catch {
    return tmpdir();
  }
}

/** A loopback port that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free loopback port');
  return address.port;
}
