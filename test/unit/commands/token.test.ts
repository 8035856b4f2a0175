import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createToken } from '../../../src/commands/token.ts';
import { complaints, minimalYaml, settings } from '../../support/loading.ts';

const random = (bytes: number) => Buffer.alloc(bytes, 0xfb);
function made(name: string) {
  const lines: string[] = [];
  const comments: string[] = [];
  const output = { print: (line: string) => lines.push(line), explain: (line: string) => comments.push(line) };
  const result = createToken(name, random, output);
  return { result, lines, comments };
}

/** The configuration after an operator has pasted these lines below `tokens:`. */
const pasted = (yaml: string, lines: readonly string[]): string =>
  yaml.replace(/^tokens:.*$/m, (line) => [line, ...lines].join('\n'));
const old = `  - { name: old, sha256: "${'1'.repeat(64)}", read: [] } # the last one`;
const empty = `${minimalYaml}\ntokens: # none yet`;

test.each([
  ['no tokens', empty],
  ['tokens', `${empty}\n${old}`],
  ['something else behind them', `${empty}\n${old}\nlog: { level: debug }`],
])('the item that is printed with the token can be pasted into a configuration with %s', (_, yaml) => {
  const { result, lines, comments } = made('etl');
  const [token = '', item = '', ...others] = lines;
  expect([result, others]).toEqual([{ ok: true }, []]);
  expect(token).toMatch(/^dsg_[\w-]{43}$/);
  expect(item).not.toContain(token);
  const sha256 = createHash('sha256').update(token).digest('hex');
  const entry = {
    name: 'etl',
    sha256,
    read: 'all',
    write: new Set(),
    where: new Map(),
    claims: {},
    until: Number.POSITIVE_INFINITY,
  };
  for (const paste of [[item], [comments.at(-1) ?? '', item]])
    expect(settings(pasted(yaml, paste), { ERP_PASSWORD: 'x' }).tokens[0]).toEqual(entry);
});

test('an item below an empty list is refused with what to do', () => {
  const { lines, comments } = made('etl');
  const [, item = ''] = lines;
  const says = 'is not valid YAML: [] is a whole, empty list; take it away, and the items below it are the list';
  for (const paste of [[item], [comments.at(-1) ?? '', item]])
    expect(complaints(pasted(`tokens: [] # none yet\n${minimalYaml}`, paste))).toEqual([`/my.yaml:1:9 ${says}`]);
});

test.each(['null', '1', 'true', '-', '1.5', '__proto__'])('%s is pasted as a name', (name) => {
  expect(settings(pasted(empty, [made(name).lines[1] ?? ''])).tokens[0]?.name).toBe(name);
});

test.each(['', 'a b', 'ü', 'a"b', 'a\n', 'x'.repeat(65)])('%j is refused in a sentence', (name) => {
  const reason = 'The name of a token must be 1 to 64 letters, digits, _ . or -';
  expect(made(name)).toEqual({ result: { ok: false, reason }, lines: [], comments: [] });
});
