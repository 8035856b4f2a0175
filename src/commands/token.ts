import { createHash } from 'node:crypto';

export type CreatedToken = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Where a command writes lines: its result, and its explanations. */
export interface Output {
  readonly print: (line: string) => void;
  readonly explain: (line: string) => void;
}

/**
 * Makes a token. It is printed once and stored nowhere: the configuration holds its SHA-256 only.
 * @param name of its user, for the log
 * @param random returns that many random bytes
 * @param output prints the token and the list item to paste; explains both, in YAML comments that may be pasted too
 * @returns a sentence when the name is not valid
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

/** A token that cannot be guessed, with a beginning by which it is recognized. */
export const newToken = (random: (bytes: number) => Buffer): string => `dsg_${random(32).toString('base64url')}`;

/** What the configuration has of a token. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
