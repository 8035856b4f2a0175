import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { complaint, ensure, find, type Machine, packagerOf } from './programs.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-programs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, text = '#!/bin/sh\n') => writeFileSync(join(folder, name), text, { mode: 0o755 });

/** A machine that has only the programs that `put` created. It records the packages that would be installed. */
function machine(facts: Partial<Machine>): Machine & { installed: string[]; said: string[] } {
  const installed: string[] = [];
  const messages: string[] = [];
  return {
    ...{ folders: [folder], packager: 'apt', root: true, installed, said: messages },
    say: (text) => void messages.push(text),
    install: async (packages) => void installed.push(...packages),
    ...facts,
  };
}

test('nothing is installed where the programs are', async () => {
  for (const name of ['initdb', 'mariadbd', 'mariadb-install-db']) put(name);
  const here = machine({});
  expect(await ensure(['postgres', 'mariadb'], here)).toEqual([]);
  expect(here).toMatchObject({ installed: [], said: [] });
});

test('missing programs are installed for root on Debian, with a message', async () => {
  put('initdb');
  const here = machine({
    install: async (packages) => {
      expect(packages).toEqual(['mariadb-server']);
      put('mariadbd');
      put('mariadb-install-db');
    },
  });
  expect(await ensure(['postgres', 'mariadb'], here)).toEqual([]);
  expect(here.said).toEqual(['MariaDB not found on this machine: installing mariadb-server with apt-get']);
});

test('an installation that fails, or brings nothing, is not believed', async () => {
  expect(await ensure(['postgres'], machine({}))).toEqual(['postgres']);
  const offline = machine({ install: () => Promise.reject(new Error('apt-get could not install postgresql')) });
  expect(await ensure(['postgres'], offline)).toEqual(['postgres']);
  expect(offline.said.at(-1)).toContain('could not install');
});

test('a file that cannot be run is not a program', () => {
  writeFileSync(join(folder, 'initdb'), '', { mode: 0o644 });
  mkdirSync(join(folder, 'mariadbd'), { mode: 0o644 });
  expect(find('initdb', machine({}))).toBeNull();
  expect(find('mariadbd', machine({}))).toBeNull();
});

test.each([
  ['apt', 'run: sudo apt-get update && sudo apt-get install -y --no-install-recommends postgresql mariadb-server'],
  ['dnf', 'run: sudo dnf install -y postgresql-server mariadb-server'],
  ['apk', 'run: sudo apk add postgresql mariadb'],
  ['brew', 'run: brew install postgresql@17 mariadb'],
  [null, 'install it with the package manager'],
] as const)('without root the line to run is said (%s)', async (packager, line) => {
  const here = machine({ packager, root: false });
  expect(await ensure(['postgres', 'mariadb'], here)).toEqual(['postgres', 'mariadb']);
  expect(complaint(['postgres', 'mariadb'], here)).toContain(
    `PostgreSQL and MariaDB not found on this machine; ${line}`,
  );
  expect(complaint(['mariadb', 'openssl'], here)).toMatch(/ \(or name servers to use in TEST_MARIADB_URL\)$/);
  expect(here.installed).toEqual([]);
});

test('the package manager is found by os-release', () => {
  expect(packagerOf('linux', 'NAME="Debian GNU/Linux"\nID=debian\n')).toBe('apt');
  expect(packagerOf('linux', 'ID=linuxmint\nID_LIKE="ubuntu debian"\n')).toBe('apt');
  expect(packagerOf('linux', 'ID="rocky"\nID_LIKE="rhel centos fedora"\n')).toBe('dnf');
  expect(packagerOf('linux', 'ID=alpine\n')).toBe('apk');
  expect(packagerOf('linux', 'ID=void\n')).toBeNull();
  expect(packagerOf('darwin', '')).toBe('brew');
});

describe('install.sh', () => {
  const policy = () => join(folder, 'policy-rc.d');
  /** Runs the script with a fake apt-get, which records its arguments and what policy-rc.d answers meanwhile. */
  const install = (ending = '') => {
    put('apt-get', `#!/bin/sh\n{ sh "$POLICY_RC_D"; echo "$DEBIAN_FRONTEND $? $*"; } >>"${folder}/calls"\n${ending}\n`);
    const env = { PATH: [folder, process.env.PATH, '/usr/bin', '/bin'].join(delimiter), POLICY_RC_D: policy() };
    return promisify(execFile)('sh', [join(import.meta.dirname, 'install.sh'), 'postgresql'], { env });
  };
  const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');

  test('updates, installs without recommendations, starts no service', async () => {
    await install();
    expect(calls()).toEqual([
      'noninteractive 101 -q -o DPkg::Lock::Timeout=300 update',
      'noninteractive 101 -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends postgresql',
    ]);
    expect(existsSync(policy())).toBe(false);
  });

  test.each(['', 'exit 100', 'kill -s TERM $PPID'])('puts an existing policy-rc.d back (%s)', async (ending) => {
    put('policy-rc.d', 'theirs');
    await install(ending).catch((error: unknown) => error);
    expect(readFileSync(policy(), 'utf8')).toBe('theirs');
    expect(existsSync(`${policy()}.kept`)).toBe(false);
  });

  test('fails when apt-get fails', async () => {
    await expect(install('exit 100')).rejects.toMatchObject({ code: 100 });
    expect(existsSync(policy())).toBe(false);
  });
});
