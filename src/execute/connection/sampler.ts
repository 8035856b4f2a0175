import type { Answer } from '../../model/rows.ts';
import type { TokenSource } from '../../model/token.ts';
import type { Pool } from './session.ts';

/** A token and the number of the session that it was read in. A later session may reach another server, with an equal token. */
export interface Sample {
  readonly token: string;
  readonly session: number;
  /** Whether transactions are open whose commit may leave the token unchanged. */
  readonly isOpen: boolean;
}

/** The server, or its user, does not show the token any more. */
export class NoToken extends Error {}

/**
 * Reads tokens over a session of its own.
 * @param run throws the driver's error, or `StatementTimeout`
 */
export function sampler(
  pool: Pool,
  run: (raw: unknown, text: string) => Promise<Answer>,
): (source: TokenSource) => Promise<Sample> {
  const numbers = new WeakMap<object, number>();
  let sessions = 0;
  const numberOf = (raw: object): number => {
    const number = numbers.get(raw) ?? ++sessions;
    numbers.set(raw, number);
    return number;
  };
  return async ({ name, statements, token: read, isOpen }) => {
    const raw = await pool.acquire();
    try {
      const answers: Answer[] = [];
      for (const text of statements) answers.push(await run(raw, text));
      const token = read(answers);
      if (token === null) throw new NoToken(`the server does not show ${name}`);
      return { token, session: numberOf(Object(raw)), isOpen: isOpen?.(answers) ?? false };
    } catch (error) {
      // It may be within a transaction.
      pool.discard(raw);
      throw error;
    } finally {
      await pool.release(raw);
    }
  };
}
