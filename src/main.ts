#!/usr/bin/env node
/** Arguments, signals, exit code: nothing else touches the process. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { check } from './setup/commands/check.ts';
import { demo } from './setup/commands/demo.ts';
import { type Serving, serve } from './setup/commands/serve.ts';
import { createToken } from './setup/commands/token.ts';
import { formatComplaint } from './setup/complaints.ts';
import { loadSettings } from './setup/load.ts';
import { withPort } from './setup/port.ts';

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
      const loaded = load(file);
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
  const loaded = load(file);
  if (loaded === null) return 2;
  const serving = await serve({ ...loaded, settings: withPort(loaded.settings, port) });
  if (!('complaints' in serving)) process.on('SIGHUP', () => void reload(serving, file, port));
  return start(serving);
}

/** Reads the file again; what is wrong in it is said, and the gateway goes on as it was. */
async function reload(serving: Serving, file: string, port: number | null): Promise<void> {
  const loaded = load(file);
  if (loaded === null) return complain('The configuration was not taken over.');
  const complaints = await serving.reload({ ...loaded, settings: withPort(loaded.settings, port) });
  for (const line of complaints) complain(line);
  if (complaints.length > 0) complain('The configuration was not taken over.');
}

function load(file: string) {
  const loaded = loadSettings(file, process.env);
  if (loaded.ok) return loaded;
  for (const complaint of loaded.complaints) complain(formatComplaint(complaint));
  return null;
}

/** A gateway ends by a signal: it lets running calls finish, and a second signal does not wait for them. */
function start(serving: Serving | { readonly complaints: readonly string[] }): number | null {
  if ('complaints' in serving) {
    for (const line of serving.complaints) complain(line);
    return 2;
  }
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      serving.close().then(() => process.exit(0), fail);
    });
  }
  return null;
}

function wrong(reason: string): number {
  complain(`${reason}\n\n${usage}`);
  return 2;
}

function fail(error: unknown): void {
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
