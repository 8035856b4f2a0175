import type { Database } from '../../src/execute/connection/database.ts';
import type { Statement } from '../../src/model/rows.ts';

/** Calls `onStatement` before each statement that runs on a session lent by `use`. */
export function watchStatements(database: Database, onStatement: (statement: Statement) => void): void {
  const use = database.use.bind(database);
  database.use = (work, gone) =>
    use(
      (session) =>
        work({
          ...session,
          run(statement, ...more) {
            onStatement(statement);
            return session.run(statement, ...more);
          },
        }),
      gone,
    );
}
