/** `init` on a database whose names and comments try to break out of YAML strings, terminal lines, or variable substitution. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load.ts';
import { openProgram, type Program } from '../support/program.ts';
import { byName, freshDatabase, onePerDriver } from '../support/servers/engines.ts';

let program: Program;
let folder: string;
beforeAll(() => {
  program = openProgram();
  folder = mkdtempSync(join(tmpdir(), 'gateway-catalogue-'));
});
afterAll(() => {
  program?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const secret = 'the-secret-of-the-environment';
/** Placeholders that a configuration fills in from the environment and from files. */
const filled = [`\${SECRET}`, `\${file:/etc/hostname}`, `$\${SECRET}`];
const names = [
  ...filled,
  ...[
    'limits: []',
    '# comment',
    '- item',
    '{ a: 1 }',
    '&anchor',
    '*alias',
    '!tag',
    '| block',
    '"quoted"',
    "it's",
    'true',
    'null',
    '1e3',
  ],
  ...['__proto__', 'constructor', 'a: b', 'ünïcode', '名前', 'x'.repeat(63), '\u202eevil', 'a\tb', 'end\\'],
];
const comments = [
  ...filled,
  ...[
    'one\ntokens: []\n- two',
    'a # b',
    '\u2028tokens: []',
    '\x1b[31mred',
    '*/ --',
    '\'quoted\' "twice"',
    '\ufeff',
    '  ',
  ],
];

test.each(byName(onePerDriver()))('%s', async (name, engine) => {
  const database = await freshDatabase(engine);
  const isPostgres = engine.client === 'postgres';
  const id = (text: string) => (isPostgres ? `"${text.replaceAll('"', '""')}"` : `\`${text.replaceAll('`', '``')}\``);
  const text = (value: string) =>
    isPostgres ? `'${value.replaceAll("'", "''")}'` : `'${value.replace(/['\\]/g, '\\$&')}'`;
  try {
    for (const [i, comment] of comments.entries()) {
      const mysqlComments = isPostgres ? ['', ''] : [` COMMENT ${text(comment)}`, ` COMMENT=${text(comment)}`];
      await database.exec(
        `CREATE TABLE commented_${i} (id int PRIMARY KEY, a int${mysqlComments[0]})${mysqlComments[1]}`,
      );
      if (isPostgres) await database.exec(`COMMENT ON TABLE commented_${i} IS ${text(comment)}`);
      if (isPostgres) await database.exec(`COMMENT ON COLUMN commented_${i}.a IS ${text(comment)}`);
    }
    for (const one of names)
      await database.exec(`CREATE TABLE ${id(one)} (id int PRIMARY KEY, ${id(`_${one.slice(0, 60)}`)} int)`);
    const columns = names.map((one) => `${id(one)} int`).join(', ');
    await database.exec(`CREATE TABLE wide (number int PRIMARY KEY, ${columns})`);

    const file = join(folder, `${name}.yaml`);
    const environment = { SECRET: secret };
    const ended = await program.run(['init', database.url, '-o', file], environment);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('resources can be served') });
    // No name may move the cursor or start a new line on the terminal.
    expect(`${ended.stdout}${ended.stderr}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    const written = readFileSync(file, 'utf8');
    expect(written).not.toContain(secret);
    const loaded = loadSettings(file, { ...environment, ...passwords(written) });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.complaints));
    const tables = [...loaded.settings.resources.values()];
    expect(new Set(tables.map(({ table }) => table))).toEqual(
      new Set([...names, ...comments.map((_, i) => `commented_${i}`), 'wide']),
    );
    for (const [i, comment] of comments.entries()) {
      const its = tables.find(({ table }) => table === `commented_${i}`);
      expect([its?.description, its?.columns.get('a')?.info ?? null]).toEqual(
        comment.trim() === '' ? ['', null] : [comment, { notes: comment }],
      );
    }
    // No name became a token.
    expect(loaded.settings.tokens.map((token) => token.name)).toEqual(['first']);
  } finally {
    await database.drop();
  }
});

/** Values for the password variables in the file. None of these servers checks them. */
const passwords = (written: string) =>
  Object.fromEntries(Array.from(written.matchAll(/\$\{(\w+_PASSWORD)\}@/g), ([, variable]) => [variable ?? '', 'any']));
