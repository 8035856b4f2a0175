#!/usr/bin/env node
/** Arguments, signals, exit code: nothing else touches the process. */
import cluster, { type Worker } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { check } from './setup/commands/check.ts';
import type { Configuration } from './setup/commands/current.ts';
import { demo } from './setup/commands/demo.ts';
import { serveMany } from './setup/commands/primary.ts';
import { type Running, serve } from './setup/commands/serve.ts';
import { createToken } from './setup/commands/token.ts';
import { work } from './setup/commands/worker.ts';
import { formatComplaint } from './setup/complaints.ts';
import { loadSettings } from './setup/load.ts';
import { withPort } from './setup/port.ts';
import { workersOf } from './setup/share.ts';
import { remembered, remembering, type Texts } from './setup/texts.ts';

const usage = `datastore-gateway serve [FILE] [--config FILE] [--port N]   serve FILE; without it, the embedded demo
datastore-gateway check FILE                                hold FILE against its databases and say what is wrong
datastore-gateway token create NAME                         make a token: printed once, with the lines to paste

Exit codes: 0 well, 1 failed, 2 the configuration or the command line is wrong.`;

const demoFile = fileURLToPath(new URL('../config/demo.yaml', import.meta.url));
const print = (line: string): void => console.log(line);
const complain = (line: string): void => console.error(line);

/** Runs a command; gives the exit code, or null while a gateway is serving. */
async function main(args: readonly string[]): Promise<number | null> {
  const parsed = attempt(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { config: { type: 'string' }, port: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    }),
  );
  if (parsed instanceof Error) return wrong(parsed.message);
  const { values, positionals } = parsed;
  const [command, ...rest] = positionals;
  if (values.help === true) {
    print(usage);
    return 0;
  }
  const file = values.config ?? rest[0];
  const port = values.port === undefined ? null : Number(values.port);
  if (port !== null && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
    return wrong(`--port must be a number from 0 to 65535, got: ${values.port}`);
  switch (command) {
    case 'serve':
      return file === undefined ? start(await demo(demoFile, port, print)) : serveFile(file, port);
    case 'check': {
      if (file === undefined) return wrong('check needs a configuration file');
      const loaded = load(file, null);
      return loaded === null ? 2 : (await check(loaded.settings, loaded.positions, print)) ? 0 : 2;
    }
    case 'token': {
      if (rest[0] !== 'create' || rest[1] === undefined) return wrong('use: datastore-gateway token create NAME');
      const made = createToken(rest[1], randomBytes, print);
      return made.ok ? 0 : wrong(made.reason);
    }
    default:
      return wrong(command === undefined ? 'a command is missing' : `there is no command "${command}"`);
  }
}

async function serveFile(file: string, port: number | null): Promise<number | null> {
  if (cluster.worker !== undefined) return serveAsWorker(cluster.worker, file, port);
  const loaded = load(file, port);
  if (loaded === null) return 2;
  const workers = workersOf(loaded.settings, availableParallelism());
  if (workers === 1) {
    const serving = await serve(loaded);
    if (!('complaints' in serving)) reloadOnSignal(serving, file, port);
    return start(serving);
  }
  const serving = await serveMany(loaded, workers);
  if (typeof serving === 'number') return serving;
  process.on('exit', () => serving.kill());
  reloadOnSignal(serving, file, port);
  return start(serving);
}

/** One of several processes: what it serves, and when it reloads and ends, the primary says. */
async function serveAsWorker(worker: Worker, file: string, port: number | null): Promise<number | null> {
  // A terminal tells all its processes that it is gone, or that somebody wants them to end; the primary decides of the first.
  process.on('SIGHUP', () => undefined);
  let stop = (): unknown => process.exit(0);
  const loading = (texts: Texts) => load(file, port, remembered(texts)) ?? fail(`${file} cannot be read twice`);
  const serving = await work(loading, {
    send: (message) => worker.send(message),
    listen: (hear) => worker.on('message', hear),
    stop: () => stop(),
  });
  if (!('complaints' in serving)) stop = () => end(serving);
  return start(serving);
}

/** Reads the file again; what is wrong in it is said, and the gateway goes on as it was. */
function reloadOnSignal(serving: Running<Loaded>, file: string, port: number | null): void {
  let last: Promise<void> = Promise.resolve();
  const reload = async () => {
    const loaded = load(file, port);
    const complaints = loaded === null ? [] : await serving.reload(loaded);
    for (const line of complaints) complain(line);
    if (loaded === null || complaints.length > 0) complain('The configuration was not taken over.');
  };
  process.on('SIGHUP', () => {
    last = last.then(reload).catch(fail);
  });
}

type Loaded = Configuration & { readonly texts: Texts };

function load(file: string, port: number | null, readFile?: (path: string) => string): Loaded | null {
  const files = remembering(readFile);
  const loaded = loadSettings(file, process.env, files.readFile);
  if (loaded.ok) return { ...loaded, settings: withPort(loaded.settings, port), texts: files.texts() };
  for (const complaint of loaded.complaints) complain(formatComplaint(complaint));
  return null;
}

/** A gateway ends by a signal: it lets running calls finish, and a second signal does not wait for them. */
function start(serving: Running<never> | { readonly complaints: readonly string[] }): number | null {
  if ('complaints' in serving) {
    for (const line of serving.complaints) complain(line);
    return 2;
  }
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      end(serving);
    });
  }
  return null;
}

function end(serving: Running<never>): void {
  serving.close().then(() => process.exit(0), fail);
}

function wrong(reason: string): number {
  complain(`${reason}\n\n${usage}`);
  return 2;
}

function fail(error: unknown): never {
  complain(error instanceof Error ? `datastore-gateway: ${error.message}` : String(error));
  process.exit(1);
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

main(process.argv.slice(2)).then((code) => {
  if (code !== null) process.exit(code);
}, fail);
