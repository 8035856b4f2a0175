import { createHash } from 'node:crypto';

export type Made = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * Makes a token. It is printed once and kept nowhere: the configuration holds its SHA-256 only.
 * @param name of whoever will use it, for the log
 * @param random gives that many random bytes
 * @param print gets whole lines
 * @returns a sentence when the name cannot be one
 */
export function createToken(name: string, random: (bytes: number) => Buffer, print: (line: string) => void): Made {
  if (!/^[\w.-]{1,64}$/.test(name)) {
    return { ok: false, reason: 'The name of a token must be 1 to 64 letters, digits, _ . or -' };
  }
  const token = `dsg_${random(32).toString('base64url')}`;
  const sha256 = createHash('sha256').update(token).digest('hex');
  print(token);
  print('');
  print('tokens:');
  print(`  - { name: ${JSON.stringify(name)}, sha256: "${sha256}", read: ["*"], write: [] }`);
  return { ok: true };
}
