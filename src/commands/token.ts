import { createHash } from 'node:crypto';

export type CreatedToken = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Functions that print a command's result and its explanations. */
export interface Output {
  readonly print: (line: string) => void;
  readonly explain: (line: string) => void;
}

/**
 * Creates a token. It is printed once and stored nowhere: the configuration only contains its SHA-256.
 * @param name the name of the token's user, for the log
 * @param random returns this many random bytes
 * @param output prints the token and the list item to paste; explanations are YAML comments, harmless if pasted along
 * @returns a sentence if the name is invalid
 */
export function createToken(name: string, random: (bytes: number) => Buffer, { print, explain }: Output): CreatedToken {
  if (!/^[\w.-]{1,64}$/.test(name)) {
    return { ok: false, reason: 'The name of a token must be 1 to 64 letters, digits, _ . or -' };
  }
  const token = newToken(random);
  explain('# The token. It is shown only now:');
  print(token);
  explain('# Paste the next line into the configuration, below "tokens:" (without "[]" behind it):');
  print(`  - { name: ${JSON.stringify(name)}, sha256: "${hashOf(token)}", read: ["*"], write: [] }`);
  return { ok: true };
}

/** A random token. The prefix `dsg_` lets secret scanners recognize a leaked token, and lets our error messages hide it. */
export const newToken = (random: (bytes: number) => Buffer): string => `dsg_${random(32).toString('base64url')}`;

/** A token's SHA-256 in hex, as the configuration has it. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
