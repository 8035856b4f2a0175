import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createToken } from '../../src/setup/commands/token.ts';
import { least, settings } from './loading.ts';

const random = (bytes: number) => Buffer.alloc(bytes, 0xfb);
function made(name: string) {
  const lines: string[] = [];
  return { result: createToken(name, random, (line) => lines.push(line)), lines };
}

test('what is printed beside the token can be pasted, and holds only its hash', () => {
  const { result, lines } = made('etl');
  const [token = '', ...rest] = lines;
  expect(result).toEqual({ ok: true });
  expect(token).toMatch(/^dsg_[\w-]{43}$/);
  expect(rest.join('\n')).not.toContain(token);
  const sha256 = createHash('sha256').update(token).digest('hex');
  expect(settings(`${least}\n${rest.join('\n')}`).tokens).toEqual([
    { name: 'etl', sha256, read: 'all', write: new Set() },
  ]);
});

test.each(['null', '1', 'true', '-', '1.5', '__proto__'])('%s is pasted as a name', (name) => {
  const [, ...rest] = made(name).lines;
  expect(settings(`${least}\n${rest.join('\n')}`).tokens[0]?.name).toBe(name);
});

test.each(['', 'a b', 'ü', 'a"b', 'a\n', 'x'.repeat(65)])('%j is refused in a sentence', (name) => {
  const { result, lines } = made(name);
  expect(result).toEqual({ ok: false, reason: 'The name of a token must be 1 to 64 letters, digits, _ . or -' });
  expect(lines).toEqual([]);
});
