import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { type Mistake, mistakeOfRun, mistakeOptions } from './mistake.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the compiled program. */
    compiled: string;
  }
}

/** Those that have not ended yet. */
const running = new Set<ChildProcess>();

export const root = resolve(import.meta.dirname, '../..');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The gateway as a process of its own, as an operator runs it. */
export interface Program {
  /** Runs a command to its end. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Runs commands that end by themselves, one after the other, in one process. */
  runAll(calls: readonly (readonly string[])[]): Promise<readonly Ended[]>;
  /** Starts it and leaves it to the caller. */
  start(args: readonly string[]): ChildProcess;
  /**
   * Serves until `stop`, which sends SIGTERM. Gives its end early when it does not come to serve.
   * @param command the beginning of a command that replaces itself by the program
   */
  serve(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    command?: readonly string[],
  ): Promise<Ended | Running>;
  /** Serves with a probe in the process. Throws the output of a process that does not start to serve. */
  probe(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Probed>;
  /** The same program with a mistake in it. */
  with(mistake: Mistake): Omit<Program, 'remove' | 'with'>;
  /** Ends what still runs, and leaves nothing behind. */
  remove(): void;
}
export interface Running {
  readonly url: string;
  readonly pid: number;
  said(): string;
  /** What it has printed, once that matches. */
  printed(wanted: RegExp): Promise<RegExpExecArray>;
  stop(): Promise<Ended>;
}

/** A gateway whose event loop is watched from inside. */
export interface Probed extends Running {
  /** Whether the process has not ended. */
  lives(): boolean;
  /** The longest turn of the event loop and the most memory since the last question. */
  held(): Promise<Held>;
  /** Milliseconds that a fixed piece of work takes in the process: more on a machine that is slow or busy. It holds the event loop. */
  pace(): Promise<number>;
}
export interface Held {
  /** Milliseconds. */
  readonly hold: number;
  /** Bytes of memory. */
  readonly rss: number;
}

/** The program as it was compiled for this run, in a folder of this test. */
export function openProgram(): Program {
  const compiled = inject('compiled');
  const folder = mkdtempSync(join(root, '.cache/program-'));
  const main = join(compiled, 'main.js');
  const withMistake = (mistake: Mistake) => programAt(main, folder, mistakeOptions(mistake, compiled));
  return {
    ...(mistakeOfRun === null ? programAt(main, folder) : withMistake(mistakeOfRun)),
    with: withMistake,
    remove() {
      // A test that fails does not stop the processes it started.
      for (const child of running) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The program that is already built, run in `folder`.
 * @param options of Node
 */
export function programAt(
  main: string,
  folder: string,
  options: readonly string[] = [],
): Omit<Program, 'remove' | 'with'> {
  const launch = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    kept(spawn(process.execPath, [...options, main, ...args], { cwd: folder, env }));
  return {
    run: (args, env = {}) => end(launch(args, env)),
    async runAll(calls) {
      const inTurn = join(import.meta.dirname, 'in-turn.mjs');
      const { stdout, stderr } = await end(
        spawn(process.execPath, [...options, inTurn, main, JSON.stringify(calls)], { cwd: folder, env: {} }),
      );
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout);
    },
    start: (args) => launch(args, {}),
    serve(args, env = {}, command = []) {
      const [file = process.execPath, ...more] = [...command, process.execPath, ...options, main, ...args];
      return serving(kept(spawn(file, more, { cwd: folder, env })));
    },
    async probe(args, env = {}) {
      const probe = join(import.meta.dirname, 'hold-probe.mjs');
      const how = { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] } satisfies SpawnOptions;
      const child = kept(spawn(process.execPath, [...options, '--import', probe, main, ...args], how));
      const served = await serving(child);
      if ('code' in served) throw new Error(served.stderr);
      return {
        ...served,
        lives: () => child.exitCode === null && child.signalCode === null,
        held: () => ask(child, 'held'),
        pace: async () => (await ask<{ pace: number }>(child, 'pace')).pace,
      };
    },
  };
}

function kept(child: ChildProcess): ChildProcess {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Resolves when the process serves or has ended. */
async function serving(child: ChildProcess): Promise<Ended | Running> {
  let said = '';
  let shown = '';
  child.stdout?.on('data', (chunk) => {
    shown += chunk;
  });
  let hasStarted = false;
  const address = new Promise<string>((found) => {
    child.stderr?.on('data', (chunk) => {
      said += chunk;
      if (hasStarted) return;
      const url = /"address":"([^"]+)".*"msg":"started"/.exec(said)?.[1];
      hasStarted = url !== undefined;
      if (url !== undefined) found(url);
    });
  });
  const ended = end(child);
  const first = await Promise.race([ended, address]);
  if (typeof first !== 'string') return first;
  return {
    url: first,
    pid: child.pid ?? 0,
    said: () => said,
    async printed(wanted) {
      for (let found = wanted.exec(shown); ; found = wanted.exec(shown)) {
        if (found !== null) return found;
        if (child.exitCode !== null) throw new Error(`it ended and had printed:\n${shown}`);
        await sleep(20);
      }
    },
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Asks the probe in a process. Throws when the process ends instead. */
async function ask<T>(child: ChildProcess, question: string): Promise<T> {
  const left = new AbortController();
  const leave = () => left.abort(new Error('the process has ended'));
  child.once('exit', leave);
  try {
    const answered = once(child, 'message', { signal: left.signal });
    child.send(question);
    const [answer] = await answered;
    return answer;
  } finally {
    child.off('exit', leave);
  }
}

/** The output of a process that has ended. */
export async function end(child: ChildProcess): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : null, ...output };
}
