/**
 * config/Dockerfile, tested without a container engine: its instructions run one by one in clean folders, and the result is started as a user without
 * privileges. Not tested are the base image and the isolation.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'gateway-image-'));
/** The user `nobody`, if this process has the right to switch users. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
chmodSync(work, 0o755);
afterAll(() => rm(work, { recursive: true, force: true }), 60_000);

interface Image {
  readonly files: string;
  folder: string;
  user: string;
  readonly env: Record<string, string>;
  health: readonly string[];
  entry: readonly string[];
  command: readonly string[];
}

const text = readFileSync(join(root, 'config/Dockerfile'), 'utf8');
const instructions = text
  .replace(/^#.*\n/gm, '')
  .split('\n')
  .filter((line) => line.trim() !== '');
const list = (json: string): readonly string[] => {
  const words: unknown = JSON.parse(json);
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw new Error(`not a list of words: ${json}`);
};
/** The local path of an absolute path in an image. */
const inside = (image: Image, path: string) => join(image.files, resolve(image.folder, path));

test('every instruction can be carried out, and the result serves without rights', async () => {
  const context = await contextOf(join(root, 'config/Dockerfile.dockerignore'));
  const stages = new Map<string, Image>();
  let image: Image | null = null;
  for (const line of instructions) {
    const [name = '', ...words] = line.trim().split(/\s+/);
    const rest = line.trim().slice(name.length).trim();
    if (name === 'ARG') continue;
    if (name === 'FROM') {
      const files = mkdtempSync(join(work, 'stage-'));
      chmodSync(files, 0o755);
      image = { files, folder: '/', user: 'root', env: {}, health: [], entry: [], command: [] };
      stages.set(words.includes('AS') ? (words.at(-1) ?? '') : 'last', image);
      continue;
    }
    if (image === null) throw new Error(`nothing to do this in: ${line}`);
    const { env } = image;
    switch (name) {
      case 'WORKDIR':
        image.folder = resolve(image.folder, rest);
        mkdirSync(inside(image, '.'), { recursive: true });
        break;
      case 'ENV':
        for (const word of words) env[word.split('=')[0] ?? ''] = word.split('=')[1] ?? '';
        break;
      case 'COPY': {
        const from = stages.get(words[0]?.replace('--from=', '') ?? '');
        const paths = from === undefined ? words : words.slice(1);
        const to = paths.at(-1) ?? '';
        for (const path of paths.slice(0, -1)) {
          const source = from === undefined ? join(context, path) : inside(from, path);
          expect(existsSync(source), `${line}: ${path} is there`).toBe(true);
          cpSync(source, inside(image, to.endsWith('/') ? join(to, path) : to), {
            recursive: true,
            verbatimSymlinks: true,
          });
        }
        break;
      }
      case 'RUN': {
        const clean = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env };
        await promisify(execFile)('/bin/sh', ['-c', rest], { cwd: inside(image, '.'), env: clean });
        break;
      }
      case 'USER':
        image.user = rest;
        break;
      case 'HEALTHCHECK':
        image.health = list(rest.slice(rest.indexOf('CMD') + 3));
        break;
      case 'ENTRYPOINT':
        image.entry = list(rest);
        break;
      case 'CMD':
        image.command = list(rest);
        break;
      default:
        expect(name, `an instruction that is not tried: ${line}`).toBe('EXPOSE');
    }
  }
  if (image === null) throw new Error('no image');
  expect(image.user).toBe('node');
  // Neither development dependencies nor the demo's engine are in the final image.
  expect(readdirSync(inside(image, '.')).sort()).toEqual(['LICENSE', 'config', 'dist', 'node_modules', 'package.json']);
  const installed = readdirSync(inside(image, 'node_modules'));
  expect(['vitest', '@electric-sql'].filter((name) => installed.includes(name))).toEqual([]);
  await serves(image);
}, 180_000);

async function serves(image: Image): Promise<void> {
  const [command = '', file = ''] = image.command;
  expect([command, file]).toEqual(['serve', '/etc/datastore-gateway/gateway.yaml']);
  const mounted = join(work, 'gateway.yaml');
  const port = 20_000 + (process.pid % 10_000);
  const databases = '{ away: { client: postgres, connection: "postgres://x@127.0.0.1:1/x" } }';
  const resources = '{ t: { database: away, table: t, access: { read: public } } }';
  writeFileSync(
    mounted,
    `server: { port: 0 }\nadmin: { port: ${port} }\ndatabases: ${databases}\nresources: ${resources}\n`,
  );
  const how = { cwd: inside(image, '.'), env: { ...image.env, ADMIN_PORT: String(port) }, ...nobody };
  const [, ...entry] = image.entry;
  const child = spawn(process.execPath, [...entry, command, mounted], how);
  let output = '';
  const url = await new Promise<string>((found, failed) => {
    child.stderr.on('data', (bytes) => {
      output += bytes;
      const address = /"address":"([^"]+)".*"msg":"started"/.exec(output)?.[1];
      if (address !== undefined) found(address);
    });
    child.once('exit', () => failed(new Error(output)));
  });
  const healthy = async (at: number) => {
    const [, ...check] = image.health;
    const healthCheck = spawn(process.execPath, check, { ...how, env: { ...how.env, ADMIN_PORT: String(at) } });
    const [code] = await once(healthCheck, 'exit');
    return code;
  };
  try {
    expect((await fetch(`${url}/api/3/action/datastore_search?resource_id=t`)).status).toBe(503);
    expect([await healthy(port), await healthy(1)]).toEqual([0, 1]);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await once(child, 'exit')).toEqual([0, null]);
}

/** The build context: the files of the repository that .dockerignore does not exclude. */
async function contextOf(list: string): Promise<string> {
  const patterns = readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const folder = join(work, 'context');
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: root });
  for (const file of stdout.split('\0').filter((it) => it !== '')) {
    const top = file.split('/')[0] ?? '';
    const last = patterns.findLast((pattern) => ['*', top].includes(pattern.replace('!', '')));
    if (last === undefined || last.startsWith('!')) cpSync(join(root, file), join(folder, file));
  }
  return folder;
}
