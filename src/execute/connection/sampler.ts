import type { CommitMarkerSource, MarkerSample } from '../../model/commit-marker.ts';
import type { Answer, Statement } from '../../model/rows.ts';
import type { Pool } from './pool.ts';
import type { StatementRunner } from './statement-runner.ts';

/** The server no longer shows the commit marker to our user, or the marker is not reliable at the moment. */
export class NoCommitMarker extends Error {}

export interface MarkerSampler {
  sample(source: CommitMarkerSource): Promise<MarkerSample>;
  /** Runs follow-up queries about a sample, also over the sampler's pool. */
  inspect(statements: readonly Statement[]): Promise<readonly Answer[]>;
}

/** Timeout in milliseconds for reading a commit marker, and for the connection that it needs. */
export const sampleTimeoutMs = 1000;

/** Reads commit markers over its own pool, so that a sample never waits for the sessions of calls. */
export function markerSampler(pool: Pool, runner: StatementRunner): MarkerSampler {
  const numbers = new WeakMap<object, number>();
  let sessions = 0;
  /** Runs the statements in one session. @returns their answers, and the number of the session */
  async function ask(
    statements: readonly Statement[],
  ): Promise<{ readonly answers: Answer[]; readonly session: number }> {
    const raw = await pool.acquire();
    try {
      const answers: Answer[] = [];
      for (const statement of statements)
        answers.push(await runner.run(raw, statement, { deadline: sampleTimeoutMs, maxBytes: null }));
      const session = numbers.get(Object(raw)) ?? ++sessions;
      numbers.set(Object(raw), session);
      return { answers, session };
    } catch (error) {
      // The session may still be inside a transaction.
      pool.discard(raw);
      throw error;
    } finally {
      await pool.release(raw);
    }
  }
  return {
    inspect: async (statements) => (await ask(statements)).answers,
    async sample({ name, statements, readMarker: read, isOpen, isUnsure }) {
      const { answers, session } = await ask(statements);
      const marker = read(answers);
      if (marker === null) throw new NoCommitMarker(`the server does not show ${name}`);
      if (isUnsure?.(answers))
        throw new NoCommitMarker(
          'an XA transaction is prepared (XA RECOVER lists it), and its commit shows in the log before others see it: finish it by XA COMMIT or XA ROLLBACK',
        );
      return { marker, session, isOpen: isOpen?.(answers) ?? false };
    },
  };
}
