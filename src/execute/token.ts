import type { Dialect } from '../model/dialect.ts';
import { plain } from '../model/rows.ts';
import type { TokenSource } from '../model/token.ts';
import { inTurn } from '../values/in-turn.ts';
import type { Session } from './connection/call-sessions.ts';
import type { Database } from './connection/database.ts';

/** The first source that server and user allow; null where there is none. */
export function chooseToken(database: Database, { tokens, classifyError }: Dialect): Promise<TokenSource | null> {
  return database.use(async (session) => {
    for (const source of tokens) {
      const isUsable = await tried(session, source).catch((error: unknown) => {
        const { kind } = classifyError(error);
        if (kind === 'connection' || kind === 'timeout' || kind === 'busy') throw error;
        // No right to it, or an older server without it.
        return false;
      });
      if (isUsable) return source;
    }
    return null;
  });
}

async function tried(session: Session, { unless, statements, token }: TokenSource): Promise<boolean> {
  for (const text of unless) if ((await session.run(plain(text))).cells.length > 0) return false;
  return token(await inTurn(statements.map(plain), (statement) => session.run(statement))) !== null;
}
