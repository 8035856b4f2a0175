/** dplyr on a resource by ckanr, imitated by the requests of its old and new versions, with the SQL that dbplyr writes for each verb. */
import { describe, expect, test } from 'vitest';
import { resources, serving, sqlNames } from './served.ts';

const site = serving();

const columns = ['_id', 'survey_id', 'title', 'subject', 'stage', 'year', 'depth', 'day', 'station no.'];
const titles = ['Jones Creek', 'Jones & Smith = 1+1', 'Größer als 50%', 'O\'Hara "quoted"'];

describe.each(sqlNames())('on %s', (engine) => {
  const { open } = resources(engine);

  /** ckanr sends a GET that says it has JSON; its first versions post a query string. */
  const methods = ['GET', 'POST'] as const;
  const ask = async (sql: string) => {
    const answers = await Promise.all(
      methods.map(async (method) => {
        const headers = { 'Content-Type': 'application/json' };
        const answer = await fetch(`${site()}/api/action/datastore_search_sql?${new URLSearchParams({ sql })}`, {
          method,
          headers,
        });
        const { result, error } = Object(await answer.json());
        return { status: answer.status, result, error };
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    const [{ status, result, error } = { status: 0, result: null, error: null }] = answers;
    return { status, result, error };
  };
  const records = async (sql: string): Promise<readonly Record<string, unknown>[]> => {
    const { status, result, error } = await ask(sql);
    expect([status, error]).toEqual([200, undefined]);
    return result.records;
  };
  const table = `(SELECT * FROM "${open}")`;
  const titlesOf = (list: readonly Record<string, unknown>[]) => list.map(({ title }) => title);

  test('tbl() asks for the fields of no records', async () => {
    for (const sql of [
      `SELECT *\nFROM ${table} AS "q01"\nWHERE (0 = 1)`,
      `SELECT * FROM ${table} "zzz1" WHERE (0 = 1)`,
    ]) {
      const { result } = await ask(sql);
      expect([result.records, result.fields.map(({ id }: { id: string }) => id)]).toEqual([[], columns]);
    }
    expect(Object.keys((await records(`SELECT * FROM "${open}"`))[0] ?? {})).toEqual(columns);
  });

  test('head() and print()', async () => {
    expect(await records(`SELECT "q01".*\nFROM ${table} AS "q01"\nLIMIT 11`)).toHaveLength(4);
    expect(await records(`SELECT *\nFROM ${table} "dbplyr_001"\nLIMIT 2`)).toHaveLength(2);
    expect(await records(`SELECT count(*) FROM (SELECT * FROM "${open}")`)).toEqual([{ count: 4 }]);
  });

  test('filter()', async () => {
    const filtered = async (condition: string) =>
      titlesOf(await records(`SELECT "q01".*\nFROM ${table} AS "q01"\nWHERE ${condition}\nORDER BY "survey_id"`));
    expect(await filtered(`("stage" = 'active')`)).toEqual(titles.slice(0, 2));
    expect(await filtered(`("year" > 2000.0) AND ("subject" IN ('survey', 'soil'))`)).toEqual(titles.slice(1, 3));
    expect(await filtered(`(NOT(("stage" IS NULL))) AND ("depth" >= 2.5)`)).toEqual([titles[0], titles[2]]);
    expect(await filtered(`(("stage" IS NULL))`)).toEqual(titles.slice(3));
    expect(await filtered(`("title" = 'O''Hara "quoted"')`)).toEqual(titles.slice(3));
    expect(await filtered(`("station no." = 9007199254740993)`)).toEqual(titles.slice(0, 1));
    expect(await filtered(`("year" BETWEEN 1999.0 AND 2001.0)`)).toEqual(titles.slice(0, 2));
    expect(await filtered(`("year" != 1999.0 OR ("title" LIKE '%quoted%'))`)).toEqual(titles.slice(1));
    expect(await filtered(`("day" > '2012-01-01')`)).toEqual(titles.slice(2));
  });

  test('select(), rename(), arrange() and distinct()', async () => {
    expect(
      await records(`SELECT "title", "year" AS "y"\nFROM ${table} AS "q01"\nORDER BY "year" DESC, "title"\nLIMIT 3`),
    ).toEqual([
      { title: titles[3], y: null },
      { title: titles[2], y: 2012 },
      { title: titles[1], y: 2001 },
    ]);
    const subjects = `SELECT DISTINCT "q01".*\nFROM (\n  SELECT "subject"\n  FROM ${table} AS "q01"\n) AS "q01"`;
    expect((await records(subjects)).map(({ subject }) => String(subject)).sort()).toEqual([
      'soil',
      'survey',
      'watershed',
    ]);
  });

  test('group_by() and summarise()', async () => {
    const sql = `SELECT
  "subject",
  count(*) AS "n",
  AVG("depth") AS "mean",
  SUM("year") AS "years",
  MIN("day") AS "first",
  COUNT(DISTINCT "stage") AS "stages"
FROM ${table} AS "q01"
GROUP BY "subject"
ORDER BY "n" DESC, "subject"`;
    expect(await records(sql)).toEqual([
      { subject: 'survey', n: 2, mean: 10, years: 4013, first: '2012-02-29', stages: 2 },
      { subject: 'soil', n: 1, mean: 0.05, years: null, first: '2020-01-01', stages: 0 },
      { subject: 'watershed', n: 1, mean: 2.5, years: 1999, first: '1999-12-31', stages: 1 },
    ]);
    const [spread] = await records(`SELECT STDDEV_SAMP("depth") AS "sd"\nFROM ${table} AS "q01"\nLIMIT 11`);
    expect(spread?.sd).toBeCloseTo(5.18419, 5);
    const overall = `SELECT MAX("year") AS "last", SUM("depth") AS "depth", COUNT(*) AS "n"\nFROM ${table} AS "q01"\nLIMIT 11`;
    expect(await records(overall)).toEqual([{ last: 2012, depth: 12.55, n: 4 }]);
  });

  test('count() and a filter of groups', async () => {
    const counted = `SELECT "stage", count(*) AS "n"\nFROM ${table} AS "q01"\nGROUP BY "stage"`;
    expect(await records(`${counted}\nORDER BY "n" DESC, "stage"`)).toEqual([
      { stage: 'active', n: 2 },
      { stage: 'closed', n: 1 },
      { stage: null, n: 1 },
    ]);
    const many = [{ stage: 'active', n: 2 }];
    expect(await records(`SELECT "q01".*\nFROM (\n  ${counted}\n) AS "q01"\nWHERE ("n" > 1.0)`)).toEqual(many);
    expect(await records(`${counted}\nHAVING (count(*) > 1.0)`)).toEqual(many);
    expect(await records(`SELECT count(*) AS "n"\nFROM ${table} AS "q01"`)).toEqual([{ n: 4 }]);
  });

  test('mutate(), if_else() and case_when()', async () => {
    const sql = `SELECT
  "survey_id",
  "year" + 1.0 AS "next",
  "depth" * 2.0 AS "twice",
  ROUND("depth", 1) AS "rounded",
  UPPER("stage") AS "stage",
  COALESCE("subject", 'none') || '!' AS "loud",
  CASE WHEN ("depth" > 5.0) THEN 'deep' WHEN NOT ("depth" > 5.0) THEN 'flat' END AS "kind",
  CASE WHEN ("year" IS NULL) THEN 'unknown' ELSE CAST("year" AS TEXT) END AS "text"
FROM ${table} AS "q01"
ORDER BY "survey_id"`;
    expect(await records(sql)).toEqual([
      {
        survey_id: 1,
        next: 2000,
        twice: 5,
        rounded: 2.5,
        stage: 'ACTIVE',
        loud: 'watershed!',
        kind: 'flat',
        text: '1999',
      },
      {
        survey_id: 2,
        next: 2002,
        twice: null,
        rounded: null,
        stage: 'ACTIVE',
        loud: 'survey!',
        kind: null,
        text: '2001',
      },
      {
        survey_id: 3,
        next: 2013,
        twice: 20,
        rounded: 10,
        stage: 'CLOSED',
        loud: 'survey!',
        kind: 'deep',
        text: '2012',
      },
      { survey_id: 4, next: null, twice: 0.1, rounded: 0.1, stage: null, loud: 'soil!', kind: 'flat', text: 'unknown' },
    ]);
    expect(
      await records(`SELECT "q01".*, "depth" * 2.0 AS "twice"\nFROM ${table} AS "q01"\nWHERE ("survey_id" = 1.0)`),
    ).toMatchObject([{ title: 'Jones Creek', twice: 5 }]);
  });

  test('inner_join() and left_join()', async () => {
    const joined = (kind: string) => `SELECT "LHS"."title" AS "title", "n"
FROM ${table} AS "LHS"
${kind} JOIN (
  SELECT "subject", count(*) AS "n"
  FROM ${table} AS "q01"
  WHERE ("subject" = 'survey')
  GROUP BY "subject"
) AS "RHS"
  ON ("LHS"."subject" = "RHS"."subject")
ORDER BY "survey_id"`;
    const [first, second, third, fourth] = titles;
    const found = [
      { title: second, n: 2 },
      { title: third, n: 2 },
    ];
    expect(await records(joined('INNER'))).toEqual(found);
    expect(await records(joined('LEFT'))).toEqual([{ title: first, n: null }, ...found, { title: fourth, n: null }]);
  });

  test('what is not supported is refused by name', async () => {
    const refusals = [
      [`SELECT CORR("depth", "year") AS "s"\nFROM ${table} AS "q01"`, 'the function corr is not supported'],
      [`SELECT string_agg("title", ', ') AS "s"\nFROM ${table} AS "q01"`, 'the function string_agg is not supported'],
      [
        `SELECT "q01".*, SUM("year") OVER () AS "s"\nFROM ${table} AS "q01"`,
        'a window function (OVER) is not supported',
      ],
      [`EXPLAIN (FORMAT TEXT) SELECT * FROM "${open}"`, 'not supported'],
    ] as const;
    for (const [sql, text] of refusals) {
      const { status, error } = await ask(sql);
      expect([status, error.__type]).toEqual([409, 'Validation Error']);
      expect(error.query[0]).toContain(text);
    }
  });
});
