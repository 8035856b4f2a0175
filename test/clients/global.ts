import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { find, type Machine, thisMachine } from '../support/servers/programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with python, pytest, ckanapi and schemathesis. */
    bin: string;
    chromium: string;
  }
}

const run = promisify(execFile);
const requirements = join(import.meta.dirname, 'requirements.txt');

/** Installs missing programs if possible. Otherwise throws with the names of all of them. */
export default async function setup(project: TestProject): Promise<void> {
  const machine = thisMachine();
  await install(machine);
  const python = find('python3', machine);
  const chromium = find('chromium', machine);
  if (python === null || chromium === null || missing(machine).length > 0) throw new Error(complaint(machine));
  project.provide('chromium', chromium);
  project.provide('bin', await environment(python));
}

/** A program → the Debian packages that contain it. */
const programs = {
  ...{ python3: 'python3-venv', chromium: 'chromium', curl: 'curl' },
  ...{ haproxy: 'haproxy', nginx: 'nginx-light', Rscript: 'r-cran-httr2 r-cran-jsonlite' },
} as const;
const missing = (machine: Machine) =>
  Object.entries(programs).flatMap(([program, name]) => (find(program, machine) === null ? name.split(' ') : []));

async function install(machine: Machine): Promise<void> {
  const packages = missing(machine);
  if (packages.length === 0 || machine.packager !== 'apt' || !machine.root) return;
  machine.say(`installing ${packages.join(' ')} with apt-get`);
  await machine.install(packages);
}

function complaint(machine: Machine): string {
  const names = missing(machine).join(' ');
  return `the tests with real clients need ${names}; on Debian: sudo apt-get install -y --no-install-recommends ${names}`;
}

/**
 * A Python environment with exactly the packages of `requirements.txt`, kept in an ignored folder until they change.
 * @returns its folder of programs
 */
async function environment(python: string): Promise<string> {
  const { stdout: version } = await run(python, ['-VV']);
  const fingerprint = createHash('sha256').update(version).update(readFileSync(requirements)).digest('hex');
  const folder = resolve(import.meta.dirname, '../../.cache/python-of-clients');
  const mark = join(folder, 'made-of');
  const bin = join(folder, 'bin');
  // The mark is written last, so that an interrupted install is repeated.
  if (existsSync(mark) && readFileSync(mark, 'utf8') === fingerprint) return bin;
  console.log(`\nPython's packages of the clients: pip install -r test/clients/requirements.txt (once)`);
  rmSync(folder, { recursive: true, force: true });
  await run(python, ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', '-r', requirements];
  await run(join(bin, 'python'), pip, { timeout: 300_000 });
  writeFileSync(mark, fingerprint);
  return bin;
}
