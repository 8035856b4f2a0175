/** SQL has the answers of PostgreSQL on every engine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import { honestQuestions } from './honest-questions.ts';
import { answerIn, haveSameRows, openReference, type Reference } from './reference.ts';
import { salesTables } from './sales.ts';

const seed = 7;

describe.each(byName(engines()))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  let reference: Reference;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(salesTables(engine.client === 'mysql' ? 'mysql' : 'postgres', seed));
    reference = await openReference(salesTables('postgres', seed));
    const access = { read: 'public', sql: true };
    gateway = await startGateway({
      databases: { db: entry(database) },
      limits: { sqlBudget: '60s' },
      resources: {
        sales: {
          database: 'db',
          table: 'sales',
          access,
          ...(engine.client === 'mysql' ? { columns: { flag: { boolean: true } } } : {}),
        },
        regions: { database: 'db', table: 'regions', access },
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
    await reference?.close();
  });

  test('honest', async () => {
    for (const sql of honestQuestions) {
      const { status, text } = await gateway.call('datastore_search_sql', { sql });
      const expected = await reference.run(sql);
      if (status !== 200 || 'error' in expected) {
        console.log(status, sql.slice(0, 300), text.slice(90, 300), 'error' in expected ? expected.error : '');
        continue;
      }
      const answer = answerIn(text);
      if (!haveSameRows(answer, expected, /order by (s\.)?(id|at, id|"at" DESC, id)\b/i.test(sql)))
        console.log(
          'DIFF',
          sql,
          answer.types.join(),
          '\n',
          JSON.stringify(answer.rows).slice(0, 500),
          '\n',
          JSON.stringify(expected).slice(0, 500),
        );
    }
  }, 100_000);
});
