/** SQL has the answers of PostgreSQL on every engine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { Random } from '../../support/random.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import { honestQuestions } from './honest-questions.ts';
import { randomQuestion } from './random-questions.ts';
import { answerIn, haveSameRows, openReference, type Reference, typeClass } from './reference.ts';
import { salesTables } from './sales.ts';

const cases = Number(process.env.FUZZ_CASES ?? 150);
/** `npm test` is the same every time; `npm run fuzz` makes new choices. */
const chance = process.env.FUZZ_CASES === undefined ? 7 : Math.floor(Math.random() * 2 ** 31);
const first = Number(process.env.FUZZ_SEED ?? chance);
const rowsSeed = 7;

/** PostgreSQL raises these where the gateway has NULL, or computes with wider numbers. */
const isAllowedError = (error: string): boolean => /division by zero|out of range|overflow/.test(error);

describe.each(byName(servers()))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let gateway: TestGateway;
  let reference: Reference;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(salesTables(engine.client === 'mysql' ? 'mysql' : 'postgres', rowsSeed));
    reference = await openReference(salesTables('postgres', rowsSeed));
    const access = { read: 'public', sql: true };
    const columns = engine.client === 'mysql' ? { columns: { flag: { boolean: true } } } : {};
    gateway = await startGateway({
      databases: { db: entry(database) },
      limits: { sqlBudget: '60s' },
      resources: {
        sales: { database: 'db', table: 'sales', access, ...columns },
        regions: { database: 'db', table: 'regions', access },
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
    await reference?.close();
  });

  const ask = (sql: string) => gateway.call('datastore_search_sql', { sql });

  test('honest questions', async () => {
    for (const sql of honestQuestions) {
      const { status, text } = await ask(sql);
      expect(status, `${sql}\n${text}`).toBe(200);
      expect(await difference(sql, text, /order by (s\.)?(id|at, id|"at" DESC, id)\b/i.test(sql)), sql).toBeNull();
    }
  }, 100_000);

  test(
    'random questions',
    async () => {
      let answered = 0;
      const faults: string[] = [];
      for (let nth = 0; nth < cases; nth++) {
        const seed = (first + nth) % 2 ** 31;
        const { sql, isOrdered } = randomQuestion(new Random(seed));
        const { status, text } = await ask(sql);
        const call = `repeat with FUZZ_SEED=${seed} FUZZ_CASES=1\n${sql}\n`;
        const wrong =
          status === 200 ? await difference(sql, text, isOrdered) : status === 409 ? null : `${status} ${text}`;
        if (wrong !== null) faults.push(call + wrong);
        if (status === 200) answered++;
      }
      expect(faults.slice(0, 5)).toEqual([]);
      expect(answered, 'most random questions are answered').toBeGreaterThanOrEqual(cases / 2);
    },
    120_000 + cases * 500,
  );

  /** How an answer differs from that of PostgreSQL; null if it does not. */
  async function difference(sql: string, text: string, isOrdered: boolean): Promise<string | null> {
    const expected = await reference.run(sql);
    if ('error' in expected) return isAllowedError(expected.error) ? null : `PostgreSQL: ${expected.error}`;
    const answer = answerIn(text);
    if (answer.names.join() !== expected.names.join()) return `fields: ${answer.names}\nexpected: ${expected.names}`;
    const types = answer.types.map(typeClass);
    const sameTypes = types.every(
      (type, at) => type === expected.types[at] || (type === 'float' && /stddev/i.test(sql)),
    );
    if (!sameTypes) return `types: ${types}\nexpected: ${expected.types}`;
    if (haveSameRows(answer, expected.rows, isOrdered)) return null;
    const nth = isOrdered
      ? answer.rows.findIndex((row, at) => !haveSameRows({ ...answer, rows: [row] }, [expected.rows[at] ?? []], true))
      : 0;
    const shown = (rows: typeof answer.rows) => JSON.stringify(rows.slice(nth, nth + 5));
    return `answered ${answer.rows.length} ${shown(answer.rows)}\nexpected ${expected.rows.length} ${shown(expected.rows)}`;
  }
});
