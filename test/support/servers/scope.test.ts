import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { openScope, type Program, type Scope } from './scope.ts';

const shell: Program = { name: 'fake', file: '/bin/sh', env: { PATH: process.env.PATH ?? '' } };
const script = (text: string) => () => ['-c', text];
const scopes: Scope[] = [];
const open = () => {
  const scope = openScope();
  scopes.push(scope);
  return scope;
};
afterEach(async () => {
  await Promise.all(scopes.splice(0).map((scope) => scope.close()));
});

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
test('close ends a server that ignores every polite signal, and removes its folder', async () => {
  const scope = open();
  const stubborn = `trap '' QUIT TERM INT; echo $$ >pid; echo ready for connections; while :; do sleep 1; done`;
  await scope.serve(shell, script(stubborn));
  const pid = Number(readFileSync(`${scope.folder}/pid`, 'utf8'));
  expect(alive(pid)).toBe(true);
  await scope.close();
  // The system may need a moment to remove a killed process.
  await expect.poll(() => alive(pid)).toBe(false);
  expect(existsSync(scope.folder)).toBe(false);
});

test('close twice is close once', async () => {
  const scope = open();
  await Promise.all([scope.close(), scope.close()]);
  await scope.close();
  expect(existsSync(scope.folder)).toBe(false);
});

test('a server that does not start is reported with its last words', async () => {
  await expect(open().serve(shell, script('echo no room left; exit 3'))).rejects.toThrow(
    /fake ended with 3.*\nno room left/,
  );
});

test('a program that is not there is reported', async () => {
  await expect(open().run({ ...shell, file: '/nowhere/initdb' }, [])).rejects.toThrow(
    /fake ended with 127.*\n.*\/nowhere\/initdb/,
  );
});

test('a port that was taken meanwhile is tried no more than three times', async () => {
  const scope = open();
  const ports: number[] = [];
  const occupied = (port: number) => {
    ports.push(port);
    return ['-c', 'echo Address already in use; exit 1'];
  };
  await expect(scope.serve(shell, occupied)).rejects.toThrow(/in use/);
  expect(ports).toHaveLength(3);
});

test('a server that was stopped begins again at its port, and is ended with the others', async () => {
  const scope = open();
  const counting = `echo $$ >>pids; echo "$1" >>ports; echo ready for connections; while :; do sleep 1; done`;
  const port = await scope.serve(shell, (port) => ['-c', counting, 'sh', String(port)]);
  const read = (file: string) => readFileSync(`${scope.folder}/${file}`, 'utf8').trim().split('\n').map(Number);
  const begin = await scope.stop(port, 'SIGKILL');
  expect(read('pids').map(alive)).toEqual([false]);
  await begin();
  expect(read('ports')).toEqual([port, port]);
  expect(read('pids').map(alive)).toEqual([false, true]);
  const pids = read('pids');
  await scope.close();
  expect(pids.map(alive)).toEqual([false, false]);
});
