#!/usr/bin/env node
/** Arguments, signals, exit codes: only this file touches the process. Each command loads only its own modules, to start fast. */
import cluster, { type Worker } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { namesInThread } from './changes/log/names-in-thread.ts';
import { readArguments } from './commands/arguments.ts';
import { collectGarbage } from './commands/collect-garbage.ts';
import { type CommandName, help } from './commands/help.ts';
import type { LoadedConfiguration, loadFiles } from './commands/load-files.ts';
import { Cancelled, Refused } from './commands/refused.ts';
import type { InvalidConfiguration, Running } from './commands/serve.ts';
import { programOf, type Terminal } from './commands/terminal.ts';
import { createToken } from './commands/token.ts';
import type { Complaint } from './config/complaints.ts';
import { workersOf } from './config/share.ts';
import { readerOf, type Texts } from './config/texts.ts';
import { watchFiles } from './config/watch-files.ts';
import { version } from './model/version.ts';
import { printable } from './values/printable.ts';

const program = programOf(process.argv[1] ?? '');
/** Long enough after the start for the first clients to have their answers. */
const collectAfterMs = 3000;
const demoFile = fileURLToPath(new URL('../config/demo.yaml', import.meta.url));
/** Makes control characters visible, because the output contains table and column names. */
const lines = (text: string): string => text.split('\n').map(printable).join('\n');
const print = (text: string): void => console.log(lines(text));
const complain = (text: string): void => console.error(lines(text));

/** Runs a command; returns the exit code, or null while a gateway is serving. */
async function main(args: readonly string[]): Promise<number | null> {
  const invocation = readArguments(args);
  if ('reason' in invocation)
    return invocation.about === 'check'
      ? wrongCheck(invocation.reason, args)
      : wrong(invocation.reason, invocation.about);
  switch (invocation.command) {
    case 'serve': {
      const { target, port } = invocation;
      const signals = new Signals();
      if (target === null) {
        const { demo } = await import('./commands/demo.ts');
        return start(await demo(demoFile, port, print), signals);
      }
      if (target.includes('://')) {
        const { look } = await import('./commands/look.ts');
        return orRefusal(async () => start(await look(target, port, terminal(null)), signals));
      }
      return serveFile(target, port, signals);
    }
    case 'check': {
      const { loadSettings } = await import('./config/load.ts');
      const loaded = loadSettings(invocation.file, process.env);
      if (loaded.ok) {
        const { check } = await import('./commands/check.ts');
        return (await check(loaded.settings, loaded.positions, print, invocation.options)) ? 0 : 2;
      }
      if (invocation.options.json) return invalidJson(loaded.complaints);
      const { formatComplaint } = await import('./config/complaints.ts');
      return refused({ complaints: loaded.complaints.map(formatComplaint) });
    }
    case 'init': {
      const { init } = await import('./commands/init.ts');
      const ask = await askUnless(invocation.yes);
      return exitCodeOf(() => init(invocation.urls, invocation.options, terminal(ask)));
    }
    case 'add': {
      const { add } = await import('./commands/init.ts');
      const ask = await askUnless(invocation.yes);
      return exitCodeOf(() => add(invocation.tables, invocation.options, terminal(ask)));
    }
    case 'token': {
      const created = createToken(invocation.name, randomBytes, { print, explain: complain });
      return created.ok ? 0 : wrong(created.reason, invocation.command);
    }
    case 'help':
      print(help(program, invocation.about));
      return 0;
    case 'version':
      print(`datastore-gateway ${version} (Node.js ${process.version})`);
      return 0;
  }
}

const terminal = (ask: Terminal['ask']): Terminal => ({
  ...{ print, explain: complain, environment: process.env, program },
  show: (text) => void process.stdout.write(text),
  ask,
  today: new Date().toISOString().slice(0, 10),
});

/** Prompts the operator at the terminal; null without a terminal, or with `--yes`. */
async function askUnless(isSure: boolean): Promise<Terminal['ask']> {
  if (isSure || !process.stdin.isTTY || !process.stderr.isTTY) return null;
  const { askAtTerminal } = await import('./commands/ask.ts');
  return askAtTerminal();
}

const exitCodeOf = (work: () => Promise<boolean>) => orRefusal(async () => ((await work()) ? 0 : 2));

async function orRefusal(work: () => Promise<number | null>): Promise<number | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) complain(error.message);
    // On Ctrl-C the prompt has already printed that nothing was written.
    else if (!(error instanceof Cancelled)) throw error;
    return 2;
  }
}

type Load = (readFile?: (path: string) => string) => ReturnType<typeof loadFiles>;

async function serveFile(file: string, port: number | null, signals: Signals): Promise<number | null> {
  const { loadFiles } = await import('./commands/load-files.ts');
  const load: Load = (readFile) => loadFiles(file, port, process.env, readFile);
  if (cluster.worker !== undefined) return serveAsWorker(cluster.worker, load, signals);
  const first = load();
  if ('complaints' in first) return refused(first);
  let watchedFiles = first.paths;
  if (first.settings.server.reload === 'watch') {
    watchFiles(
      () => watchedFiles,
      () => signals.reload(),
    );
  }
  const reloadOnSignal = (serving: Running<LoadedConfiguration>) =>
    signals.onReload(async () => {
      const next = load();
      watchedFiles = next.paths;
      await serving.reload(next);
    });
  const workers = workersOf(first.settings, availableParallelism());
  if (workers === 1) {
    const { serve } = await import('./commands/serve.ts');
    const serving = await serve({ ...first, names: namesInThread });
    if (!('complaints' in serving)) reloadOnSignal(serving);
    return start(serving, signals);
  }
  const { serveMany } = await import('./workers/primary.ts');
  const serving = await serveMany(first, workers);
  if (typeof serving === 'number') return serving;
  process.on('exit', () => serving.kill());
  reloadOnSignal(serving);
  return start(serving, signals);
}

/** Serves as one of several worker processes. The primary sends it the configuration, reloads it and ends it. */
async function serveAsWorker(worker: Worker, load: Load, signals: Signals): Promise<number | null> {
  let stop = (): unknown => process.exit(0);
  const loadTexts = (texts: Texts) => {
    const loaded = load(readerOf(texts));
    return 'complaints' in loaded ? fail('the configuration cannot be read twice') : loaded;
  };
  const { work } = await import('./workers/worker.ts');
  const serving = await work(loadTexts, {
    send: (message) => worker.send(message),
    listen: (hear) => worker.on('message', hear),
    stop: () => stop(),
  });
  if (!('complaints' in serving)) stop = () => end(serving);
  return start(serving, signals);
}

/**
 * Signal handlers, installed before the start. Without them, a starting gateway would ignore SIGTERM and SIGINT if it is a container's
 * process 1, and outside a container SIGHUP would end it.
 */
class Signals {
  #end: (() => void) | null = null;
  #isEnding = false;
  #reload: (() => Promise<void>) | null = null;
  #wantsReload = false;
  #last: Promise<void> = Promise.resolve();

  constructor() {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        // Exit at once if nothing is served yet, or on a second signal.
        if (this.#end === null || this.#isEnding) process.exit(this.#isEnding ? 1 : 0);
        this.#isEnding = true;
        this.#end();
      });
    }
    // A closed terminal sends SIGHUP to all its processes. Workers handle it too, so that it does not end them, but do not reload.
    process.on('SIGHUP', () => this.reload());
  }

  onEnd(end: () => void): void {
    this.#end = end;
  }

  /** Sets the handler for reloads, which run one at a time. If a reload was requested during the start, it runs now. */
  onReload(reload: () => Promise<void>): void {
    this.#reload = reload;
    if (this.#wantsReload) this.reload();
  }

  reload(): void {
    this.#wantsReload = true;
    const reload = this.#reload;
    if (reload !== null) this.#last = this.#last.then(reload).catch(fail);
  }
}

/**
 * Makes SIGTERM and SIGINT end the gateway once its in-flight calls have finished; a second signal does not wait for them. Then plans the
 * collection that gives the start's memory back.
 */
function start(serving: Running<never> | InvalidConfiguration, signals: Signals): number | null {
  if ('complaints' in serving) return refused(serving);
  signals.onEnd(() => end(serving));
  // Under Node's `--permission` the inspector is denied, and the gateway keeps that memory.
  setTimeout(() => collectGarbage().catch(() => undefined), collectAfterMs).unref();
  return null;
}

function end(serving: Running<never>): void {
  serving.close().then(() => process.exit(0), fail);
}

function refused({ complaints }: InvalidConfiguration): number {
  for (const line of complaints) complain(line);
  return 2;
}

/** Reports wrong arguments to `check`: as JSON with `--json`, because a program reads it. */
async function wrongCheck(reason: string, args: readonly string[]): Promise<number> {
  return args.includes('--json') ? invalidJson([{ path: '', where: null, text: reason }]) : wrong(reason, 'check');
}

async function invalidJson(complaints: readonly Complaint[]): Promise<number> {
  const { asInvalidJson } = await import('./commands/check-report.ts');
  print(asInvalidJson(complaints));
  return 2;
}

/** Reports wrong arguments. @param command the command whose help to show; without it, the overview */
function wrong(reason: string, command?: CommandName): number {
  complain(`${reason}\n\n${help(program, command)}`);
  return 2;
}

function fail(error: unknown): never {
  complain(error instanceof Error ? `datastore-gateway: ${error.message}` : String(error));
  process.exit(1);
}

main(process.argv.slice(2)).then((code) => {
  if (code !== null) process.exit(code);
}, fail);
