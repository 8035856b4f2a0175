import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The facts about a machine that decide how programs are found and installed. Tests pass a fake one. */
export interface Machine {
  /** The folders to search, in order. */
  readonly folders: readonly string[];
  readonly packager: Packager | null;
  readonly root: boolean;
  say(text: string): void;
  install(packages: readonly string[]): Promise<void>;
}

const needs = {
  postgres: { title: 'PostgreSQL', programs: ['initdb'], variable: 'TEST_POSTGRES_URL' },
  mariadb: { title: 'MariaDB', programs: ['mariadbd', 'mariadb-install-db'], variable: 'TEST_MARIADB_URL' },
  // For tests of TLS: creates certificates.
  openssl: { title: 'openssl', programs: ['openssl'], variable: null },
  // For tests of prompts: runs a program in a pseudo-terminal.
  script: { title: 'script of util-linux', programs: ['script', 'scriptreplay'], variable: null },
} as const;

const packagers = {
  apt: {
    line: 'sudo apt-get update && sudo apt-get install -y --no-install-recommends',
    postgres: 'postgresql',
    mariadb: 'mariadb-server',
    openssl: 'openssl',
    script: 'bsdutils',
  },
  dnf: {
    line: 'sudo dnf install -y',
    postgres: 'postgresql-server',
    mariadb: 'mariadb-server',
    openssl: 'openssl',
    script: 'util-linux',
  },
  apk: {
    ...{ line: 'sudo apk add', postgres: 'postgresql', mariadb: 'mariadb' },
    ...{ openssl: 'openssl', script: 'util-linux-misc' },
  },
  brew: {
    ...{ line: 'brew install', postgres: 'postgresql@17', mariadb: 'mariadb' },
    ...{ openssl: 'openssl', script: 'util-linux' },
  },
} as const;

export type Packager = keyof typeof packagers;
export type Need = keyof typeof needs;

/** The absolute path of a program; null if it is not installed. */
export function find(program: string, { folders }: Pick<Machine, 'folders'>): string | null {
  return folders.map((folder) => join(folder, program)).find(executable) ?? null;
}

/** Whether all programs of a need are installed. */
export const has = (need: Need, machine: Pick<Machine, 'folders'> = thisMachine()): boolean =>
  needs[need].programs.every((program) => find(program, machine) !== null);

/** Installs missing programs with apt-get, if this machine has it. @returns the needs that are still missing */
export async function ensure(wanted: readonly Need[], machine: Machine): Promise<readonly Need[]> {
  const missing = () => wanted.filter((need) => !has(need, machine));
  const packages = packagesOf(missing(), machine);
  if (packages.length > 0 && machine.packager === 'apt' && machine.root) {
    machine.say(`${titles(missing())} not found on this machine: installing ${packages.join(' ')} with apt-get`);
    await machine.install(packages).catch((error: unknown) => machine.say(String(error)));
  }
  return missing();
}

/** One line that says what is missing and how to install it. */
export function complaint(missing: readonly Need[], machine: Pick<Machine, 'packager'>): string {
  const line = machine.packager === null ? null : packagers[machine.packager].line;
  const packages = packagesOf(missing, machine).join(' ');
  const how = line === null ? 'install it with the package manager' : `run: ${line} ${packages}`;
  const variables = missing.flatMap((need) => needs[need].variable ?? []).join(' and ');
  const or = variables === '' ? '' : ` (or name servers to use in ${variables})`;
  return `${titles(missing)} not found on this machine; ${how}${or}`;
}

const titles = (of: readonly Need[]) => of.map((need) => needs[need].title).join(' and ');
const packagesOf = (of: readonly Need[], { packager }: Pick<Machine, 'packager'>): readonly string[] =>
  packager === null ? [] : of.map((need) => packagers[packager][need]);

/** The machine that this process runs on. */
export function thisMachine(): Machine {
  return {
    // A getter: installing a package may add a folder.
    get folders() {
      const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
      return [
        ...path,
        ...versioned('/usr/lib/postgresql'),
        '/usr/sbin',
        '/usr/local/sbin',
        '/usr/libexec',
        ...homebrew(),
      ];
    },
    packager: packagerOf(process.platform, release()),
    root: process.getuid?.() === 0,
    say: (text) => console.log(text),
    async install(packages) {
      // It stays in our process group, and has no timeout: killing dpkg halfway would leave the machine in a broken state.
      const child = spawn('sh', [join(import.meta.dirname, 'install.sh'), ...packages], { stdio: 'inherit' });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`apt-get could not install ${packages.join(' ')}, see above`);
    },
  };
}

/** The package manager of a platform, from its `/etc/os-release`. */
export function packagerOf(platform: NodeJS.Platform, osRelease: string): Packager | null {
  if (platform === 'darwin') return 'brew';
  const ids = [...osRelease.matchAll(/^ID(?:_LIKE)?=(.*)$/gm)].flatMap((m) =>
    (m[1] ?? '').replaceAll('"', '').split(' '),
  );
  if (ids.some((id) => id === 'debian' || id === 'ubuntu')) return 'apt';
  if (ids.some((id) => id === 'fedora' || id === 'rhel')) return 'dnf';
  return ids.includes('alpine') ? 'apk' : null;
}

function release(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
}

function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Debian does not put initdb and postgres into PATH, but into a folder for each version. Newest first. */
function versioned(folder: string): string[] {
  try {
    const versions = readdirSync(folder).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(folder, version, 'bin'));
  } catch {
    return [];
  }
}

function homebrew(): string[] {
  const kegs = [packagers.brew.postgres, packagers.brew.script];
  return ['/opt/homebrew/opt', '/usr/local/opt'].flatMap((folder) => kegs.map((keg) => join(folder, keg, 'bin')));
}
