import { shownBy } from '../../src/cache/invalidation.ts';
import { open } from './open-database.ts';
import type { FreshDatabase } from './servers/engines.ts';

/** Runs the SQL that `check` prints for triggers on the tables below these resources, as an operator would. */
export async function installTriggers(
  database: FreshDatabase & { exec(sql: string): Promise<unknown> },
  shown: readonly string[],
): Promise<void> {
  const opened = await open(database);
  try {
    const { effects } = await opened.catalog();
    const relations = shown.map((name) => ({ database: effects.database, schema: 'public', name }));
    const check = opened.dialect.triggers?.(shownBy(relations, [effects]));
    if (check === undefined) throw new Error('the engine has no triggers that note changes');
    const { obstacles, remarks } = check.facts(await Promise.all(check.queries.map((query) => opened.run(query))));
    for (const { remedy } of [...obstacles, ...remarks]) if (remedy !== null) await database.exec(remedy);
  } finally {
    await opened.close();
  }
}
