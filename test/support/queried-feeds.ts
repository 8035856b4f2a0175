import { ordered, shownBy } from '../../src/cache/invalidation.ts';
import type { QueriedFeed } from '../../src/model/feed.ts';
import { open } from './open-database.ts';
import type { FreshDatabase } from './servers/engines.ts';

/** Runs the SQL that `check` prints for this feed over the tables below these resources, as an operator would. */
export async function installFeed(
  by: QueriedFeed | null,
  database: FreshDatabase & { exec(sql: string): Promise<unknown> },
  shown: readonly string[],
): Promise<void> {
  if (by === null) return;
  const opened = await open(database);
  try {
    const { effects } = await opened.catalog();
    const relations = shown.map((name) => ({ database: effects.database, schema: 'public', name }));
    const source = opened.dialect.queriedFeeds.find((one) => one.by === by);
    if (source === undefined) throw new Error(`the engine names no tables by ${by}`);
    const check = source.check(shownBy(relations, [ordered(effects)]));
    const { obstacles, remarks } = check.facts(await Promise.all(check.queries.map((query) => opened.run(query))));
    for (const { remedy } of [...obstacles, ...remarks]) if (remedy !== null) await database.exec(remedy);
  } finally {
    await opened.close();
  }
}
