import type { CommitMarkerSource } from '../model/commit-marker.ts';
import type { ChangeDialect } from '../model/dialect/change.ts';
import type { SessionDialect } from '../model/dialect/session.ts';
import { plain } from '../model/rows.ts';
import { inTurn } from '../values/in-turn.ts';
import type { Session } from './connection/call-sessions.ts';
import type { Database } from './connection/database.ts';

/** Chooses the first source of commit markers that the server has and the user may read; null if there is none. */
export function chooseCommitMarker(
  database: Database,
  { commitMarkers, classifyError }: ChangeDialect & SessionDialect,
): Promise<CommitMarkerSource | null> {
  return database.use(async (session) => {
    for (const source of commitMarkers) {
      const isUsable = await worksIn(session, source).catch((error: unknown) => {
        const { kind } = classifyError(error);
        if (kind === 'connection' || kind === 'timeout' || kind === 'busy') throw error;
        // The user may not read it, or the server is too old to have it.
        return false;
      });
      if (isUsable) return source;
    }
    return null;
  });
}

async function worksIn(session: Session, { unless, statements, readMarker }: CommitMarkerSource): Promise<boolean> {
  for (const text of unless) if ((await session.run(plain(text))).cells.length > 0) return false;
  return readMarker(await inTurn(statements, (statement) => session.run(statement))) !== null;
}
