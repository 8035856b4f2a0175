/** The prompts of `init`, answered by key presses. util-linux's `script` provides a pseudo-terminal. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { freshDatabase, onePerDriver, type ServerDatabase } from '../../support/servers/engines.ts';
import { find, has, thisMachine } from '../../support/servers/programs.ts';

const [engine] = onePerDriver();
const script = find('script', thisMachine());

const keys = { space: ' ', down: '\x1b[B', enter: '\r', interrupt: '\x03' };
const bound = 10_000;

describe.skipIf(engine === undefined || !has('script'))('at a terminal', () => {
  let database: ServerDatabase;
  let folder: string;
  let file: string;
  beforeAll(async () => {
    if (engine === undefined) throw new Error('no server');
    folder = mkdtempSync(join(tmpdir(), 'gateway-questions-'));
    file = join(folder, 'gateway.yaml');
    database = await freshDatabase(engine);
    await database.exec('CREATE TABLE actor (id int PRIMARY KEY, email varchar(80), phone varchar(80))');
    await database.exec('CREATE TABLE film (id int PRIMARY KEY, title varchar(80))');
    await database.exec('CREATE TABLE sessions (id int PRIMARY KEY)');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await database?.drop();
  });

  /** Answers each question once it appears on the screen. Returns the exit code and the whole screen. */
  async function answered(answers: readonly (readonly [question: string, ...keys: string[]])[], options = '') {
    const main = join(inject('compiled'), 'main.js');
    const command = `stty cols 120; exec ${process.execPath} ${main} init '${database.url}' -o ${file} ${options}`;
    const child = spawn(script ?? '', ['-qefc', command, '/dev/null'], {
      env: { PATH: process.env.PATH, TERM: 'xterm' },
    });
    let screen = '';
    child.stdout.on('data', (chunk) => {
      screen += stripVTControlCharacters(String(chunk));
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    try {
      for (const [question, ...pressed] of answers) {
        const until = performance.now() + bound;
        while (!screen.includes(question)) {
          if (performance.now() > until) throw new Error(`"${question}" was not asked:\n${screen}`);
          await sleep(20);
        }
        for (const key of pressed) {
          // One key at a time, as a terminal sends them: otherwise an escape would swallow the following key.
          await sleep(50);
          child.stdin.write(key);
        }
      }
      return { code: await ended, screen };
    } finally {
      child.kill();
    }
  }

  test('tables, columns and rights as they are chosen', async () => {
    const { code, screen } = await answered([
      // Deselects the first table and selects the table of the application.
      ['Which tables of', keys.space, keys.down, keys.down, keys.space, keys.enter],
      ['Who may read?', keys.down, keys.enter],
      ['Who may write?', keys.enter],
    ]);
    expect([code, screen]).toEqual([0, expect.stringContaining('2 resources can be served')]);
    expect(parse(readFileSync(file, 'utf8')).resources).toMatchObject({
      film: { access: { read: 'public', write: 'none' } },
      sessions: {},
    });
    rmSync(file);
  });

  test('personal columns stay hidden, but for those that are chosen', async () => {
    const { code } = await answered([
      ['Which tables of', keys.enter],
      ['Show any of them?', keys.down, keys.space, keys.enter],
      ['Who may read?', keys.enter],
      ['Who may write?', keys.enter],
    ]);
    expect(code).toBe(0);
    const { actor, film } = parse(readFileSync(file, 'utf8')).resources;
    expect([actor.columns, film.columns]).toEqual([{ email: { hidden: true }, phone: { hidden: false } }, undefined]);
    rmSync(file);
  });

  test('what a pattern finds is left out for the same reasons as without a terminal', async () => {
    const questions = [
      ['Who may read?', keys.enter],
      ['Who may write?', keys.enter],
    ] as const;
    const { code, screen } = await answered(questions, `--tables 's*' --tables film`);
    expect([code, screen]).toEqual([0, expect.stringContaining('sessions: of the application')]);
    expect(Object.keys(parse(readFileSync(file, 'utf8')).resources)).toEqual(['film']);
    rmSync(file);
  });

  test('Ctrl-C ends it, and nothing is written', async () => {
    const { code, screen } = await answered([['Which tables of', keys.interrupt]]);
    expect([code, screen]).toEqual([2, expect.stringContaining('Nothing was written')]);
    expect(existsSync(file)).toBe(false);
  });
});
