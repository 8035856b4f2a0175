import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installCkan } from '../support/ckan/install.ts';
import { pythonEnvironment } from '../support/python-environment.ts';
import { find, type Machine, thisMachine } from '../support/servers/programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with python, pytest, ckanapi and schemathesis. */
    bin: string;
    chromium: string;
    /** The folder with the Python of CKAN 2.12; null where it cannot be downloaded. */
    ckan: string | null;
    /** The same for CKAN 2.11. */
    'ckan-2.11': string | null;
  }
}

const requirements = join(import.meta.dirname, 'requirements.txt');

/** Installs missing programs if possible. Otherwise throws with the names of all of them. */
export default async function setup(project: TestProject): Promise<void> {
  const machine = thisMachine();
  await install(machine);
  const python = find('python3', machine);
  const chromium = find('chromium', machine);
  if (python === null || chromium === null || missing(machine).length > 0) throw new Error(complaint(machine));
  project.provide('chromium', chromium);
  const [bin, ckan, older] = await Promise.all([
    pythonEnvironment(python, requirements, 'python-of-clients'),
    installCkan(python),
    installCkan(python, '2.11'),
  ]);
  project.provide('bin', bin);
  project.provide('ckan', ckan);
  project.provide('ckan-2.11', older);
}

/** A program → the Debian packages that contain it. */
const programs = {
  ...{ python3: 'python3-venv', chromium: 'chromium', curl: 'curl' },
  // libmagic1 comes along, because CKAN loads it.
  'redis-server': 'redis-server libmagic1',
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
