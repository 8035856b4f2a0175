import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The facts about a machine that decide where programs come from; a test hands in its own. */
export interface Machine {
  /** Where programs are looked for; the first hit wins. */
  readonly folders: readonly string[];
  readonly packager: Packager | null;
  readonly root: boolean;
  say(text: string): void;
  install(packages: readonly string[]): Promise<void>;
}

const needs = {
  postgres: { title: 'PostgreSQL', programs: ['initdb'], variable: 'TEST_POSTGRES_URL' },
  mariadb: { title: 'MariaDB', programs: ['mariadbd', 'mariadb-install-db'], variable: 'TEST_MARIADB_URL' },
  // Tests kill it: each file starts its own.
  redis: { title: 'Redis', programs: ['redis-server'], variable: null },
} as const;

const packagers = {
  apt: {
    line: 'sudo apt-get update && sudo apt-get install -y --no-install-recommends',
    postgres: 'postgresql',
    mariadb: 'mariadb-server',
    redis: 'redis-server',
  },
  dnf: {
    line: 'sudo dnf install -y',
    postgres: 'postgresql-server',
    mariadb: 'mariadb-server',
    redis: 'redis',
  },
  apk: { line: 'sudo apk add', postgres: 'postgresql', mariadb: 'mariadb', redis: 'redis' },
  brew: { line: 'brew install', postgres: 'postgresql@17', mariadb: 'mariadb', redis: 'redis' },
} as const;

export type Packager = keyof typeof packagers;
export type Installable = keyof typeof needs;

/** The absolute path of a program, or null. */
export function find(program: string, { folders }: Pick<Machine, 'folders'>): string | null {
  return folders.map((folder) => join(folder, program)).find(executable) ?? null;
}

/** Makes sure that the servers' programs are there, by apt-get where that is possible, else says the line to run. */
export async function ensure(servers: readonly Installable[], machine: Machine): Promise<void> {
  const missing = () => servers.filter((s) => needs[s].programs.some((program) => find(program, machine) === null));
  const absent = missing();
  if (absent.length === 0) return;
  const titles = absent.map((s) => needs[s].title).join(' and ');
  const packager = machine.packager === null ? null : packagers[machine.packager];
  const packages = packager === null ? [] : absent.map((s) => packager[s]);
  if (machine.packager === 'apt' && machine.root) {
    machine.say(`${titles} not found on this machine: installing ${packages.join(' ')} with apt-get`);
    await machine.install(packages);
    if (missing().length === 0) return;
  }
  const how = packager === null ? 'install it with the package manager' : `run: ${packager.line} ${packages.join(' ')}`;
  const variables = absent.flatMap((s) => needs[s].variable ?? []).join(' and ');
  const or = variables === '' ? '' : `\n(or name servers to use in ${variables})`;
  throw new Error(`${titles} not found on this machine.\n${how}${or}`);
}

/** The machine this process runs on. */
export function thisMachine(): Machine {
  return {
    // Not read once: a package may add a folder.
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
      // In our own process group and under no clock: a dpkg that is cut short leaves the machine in need of repair.
      const child = spawn('sh', [join(import.meta.dirname, 'install.sh'), ...packages], { stdio: 'inherit' });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`apt-get could not install ${packages.join(' ')}, see above`);
    },
  };
}

/** Which package manager a platform and its `/etc/os-release` mean. */
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

/** Debian keeps initdb and postgres of each version out of PATH; the newest comes first. */
function versioned(folder: string): string[] {
  try {
    const versions = readdirSync(folder).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(folder, version, 'bin'));
  } catch {
    return [];
  }
}

function homebrew(): string[] {
  return ['/opt/homebrew/opt', '/usr/local/opt'].map((folder) => join(folder, packagers.brew.postgres, 'bin'));
}
