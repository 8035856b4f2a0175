import { type Answer, plain, type Statement } from '../../model/rows.ts';
import type { Sample, TokenSource } from '../../model/token.ts';
import { inTurn } from '../../values/in-turn.ts';
import type { Pool } from './session.ts';

/** The server, or its user, does not show the token any more, or the token proves nothing for now. */
export class NoToken extends Error {}

export interface Sampler {
  sample(source: TokenSource): Promise<Sample>;
  /** Asks for more about what a sample has shown. */
  inspect(statements: readonly Statement[]): Promise<readonly Answer[]>;
}

/**
 * Reads tokens over a session of its own.
 * @param run throws the driver's error, or `StatementTimeout`
 */
export function sampler(pool: Pool, run: (raw: unknown, statement: Statement) => Promise<Answer>): Sampler {
  const numbers = new WeakMap<object, number>();
  let sessions = 0;
  const numberOf = (raw: object): number => {
    const number = numbers.get(raw) ?? ++sessions;
    numbers.set(raw, number);
    return number;
  };
  const asked = async <T>(ask: (raw: unknown) => Promise<T>): Promise<T> => {
    const raw = await pool.acquire();
    try {
      return await ask(raw);
    } catch (error) {
      // It may be within a transaction.
      pool.discard(raw);
      throw error;
    } finally {
      await pool.release(raw);
    }
  };
  const answersTo = (raw: unknown, statements: readonly Statement[]) =>
    inTurn(statements, (statement) => run(raw, statement));
  return {
    inspect: (statements) => asked((raw) => answersTo(raw, statements)),
    sample: ({ name, statements, token: read, isOpen, isUnsure }) =>
      asked(async (raw) => {
        const answers = await answersTo(raw, statements.map(plain));
        const token = read(answers);
        if (token === null) throw new NoToken(`the server does not show ${name}`);
        if (isUnsure?.(answers))
          throw new NoToken(
            'an XA transaction is prepared (XA RECOVER lists it), and its commit shows in the log before others see it: finish it by XA COMMIT or XA ROLLBACK',
          );
        return { token, session: numberOf(Object(raw)), isOpen: isOpen?.(answers) ?? false };
      }),
  };
}
