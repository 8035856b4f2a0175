/** curl: the commands of CKAN's "Data API" dialog, pasted, and other things that users of curl do. */
import { describe, expect, test } from 'vitest';
import { names, resources, serving, sqlNames, token } from './served.ts';
import { type CurlAnswer, paste } from './shell.ts';

const site = serving();

describe.each(names())('on %s', (engine) => {
  const { open, closed, scratch } = resources(engine);
  const variables = { API_TOKEN: token, OPEN: open, CLOSED: closed, SCRATCH: scratch };
  const curl = (lines: string, input?: string): Promise<CurlAnswer> =>
    paste(lines.replaceAll('SITE', site()), variables, input);

  test("the dialog's search", async () => {
    const answer = await curl(`curl SITE/api/action/datastore_search \\
  -H"Authorization:$API_TOKEN" -d '
{
  "resource_id": "${open}",
  "limit": 5,
  "q": "jones"
}'`);
    expect(answer).toMatchObject({ status: 200, titles: ['Jones Creek', 'Jones & Smith = 1+1'] });
  });

  test("the dialog's filters", async () => {
    const answer = await curl(`curl SITE/api/action/datastore_search \\
-H"Authorization:$API_TOKEN" -d '
{
"resource_id": "${open}",
  "filters": {
    "subject": ["watershed", "survey"],
    "stage": "active"
  }
}'`);
    expect(answer).toMatchObject({ status: 200, titles: ['Jones Creek', 'Jones & Smith = 1+1'] });
  });

  test.each([
    ['jones', []],
    ['Jones%', ['Jones Creek', 'Jones & Smith = 1+1']],
  ])("the dialog's SQL, for %s", async (pattern, titles) => {
    const answer = await curl(`curl SITE/api/action/datastore_search_sql \\
  -H"Authorization:$API_TOKEN" -d @- <<END
{
  "sql": "SELECT * FROM \\"${open}\\" WHERE title LIKE '${pattern}' ORDER BY survey_id"
}
END`);
    expect(answer).toMatchObject(sqlNames().includes(engine) ? { status: 200, titles } : { status: 403 });
  });

  test.each([
    ['=', 'Jones & Smith = 1+1'],
    ['&', 'Jones & Smith = 1+1'],
    ['1+1', 'Jones & Smith = 1+1'],
    ['50%', 'Größer als 50%'],
    ['O\\u0027Hara', 'O\'Hara "quoted"'],
  ])('JSON that a form would spoil: %s', async (q, title) => {
    const answer = await curl(
      `curl SITE/api/3/action/datastore_search -d '{"resource_id": "'$OPEN'", "q": "${q}", "limit": 5}'`,
    );
    expect(answer).toMatchObject({ status: 200, titles: [title] });
  });

  test.each([
    ['a form', `-d resource_id=$OPEN -d 'fields=title' -d fields=stage -d 'filters={"year":2012}'`],
    ['a multipart form', `-F resource_id=$OPEN -F fields=title -F fields=stage -F 'filters={"year":2012}'`],
    ['a query', `-G -d resource_id=$OPEN -d fields=title,stage --data-urlencode 'filters={"year":2012}'`],
    [
      'JSON',
      `-H 'Content-Type: application/json' -d '{"id":"'$OPEN'","fields":"title,stage","filters":{"year":2012}}'`,
    ],
  ])('%s', async (_, how) => {
    const { status, result } = await curl(`curl SITE/api/3/action/datastore_search ${how}`);
    expect([status, result.records]).toEqual([200, [{ title: 'Größer als 50%', stage: 'closed' }]]);
  });

  test.each(['Authorization: $API_TOKEN', 'Authorization: Bearer $API_TOKEN', 'X-CKAN-API-Key: $API_TOKEN'])(
    'the token by %s',
    async (header) => {
      const call = `SITE/api/3/action/datastore_search -d '{"resource_id": "'$CLOSED'"}'`;
      expect((await curl(`curl -H "${header}" ${call}`)).status).toBe(200);
      expect((await curl(`curl ${call}`)).status).toBe(403);
    },
  );

  test('a megabyte of records, inserted and deleted', async () => {
    const records = Array.from({ length: 5000 }, (_, i) => ({ title: `${i}`.padEnd(200, 'x'), stage: 'curl' }));
    const body = JSON.stringify({ resource_id: scratch, method: 'insert', records });
    const insert = `curl SITE/api/3/action/datastore_upsert -H "Authorization: $API_TOKEN" --data-binary @-`;
    const all = `{"resource_id": "'$SCRATCH'", "filters": {"stage": "curl"}, "limit": 0}`;
    const total = async () => (await curl(`curl SITE/api/3/action/datastore_search -d '${all}'`)).result.total;
    const deleteBody = `{"resource_id": "'$SCRATCH'", "filters": {"stage": "curl"}}`;
    expect((await curl(insert, body)).status).toBe(200);
    expect(await total()).toBe(5000);
    const call = `curl SITE/api/3/action/datastore_records_delete -H "Authorization: $API_TOKEN" -d '${deleteBody}'`;
    expect((await curl(call)).status).toBe(200);
    expect(await total()).toBe(0);
  });
});

test.each(names())('a download, whole and in part, on %s', async (engine) => {
  const { open, closed } = resources(engine);
  const dump = `curl --compressed ${site()}/datastore/dump`;
  const all = await paste(`${dump}/${open}?bom=true`, {});
  expect(all.type).toBe('text/csv; charset=utf-8');
  expect(all.body.split('\n')).toHaveLength(6);
  const some = await paste(`${dump}/${open} -G -d format=tsv -d fields=title,year --data-urlencode 'q=creek'`, {});
  expect(some.body).toBe('title\tyear\nJones Creek\t1999\n');
  expect((await paste(`${dump}/${closed}`, {})).status).toBe(404);
  expect((await paste(`${dump}/${closed} -H "Authorization: $API_TOKEN"`, { API_TOKEN: token })).status).toBe(200);
});

test.each([
  ['HEAD', `-I 'SITE/api/3/action/datastore_search?resource_id=nothing'`, 404, 'Content-Length: '],
  ['OPTIONS', '-i -X OPTIONS SITE/api/3/action/datastore_search', 200, 'Allow: GET, HEAD, OPTIONS, POST'],
  ['PATCH', '-i -X PATCH SITE/api/3/action/datastore_upsert', 405, 'Allow: GET, HEAD, OPTIONS, POST'],
  ['a file', `-F 'upload=@-;filename=a.csv' SITE/api/3/action/datastore_search <<<x`, 400, 'files are not accepted'],
  ['a slash too much', 'SITE/api/3/action/datastore_search/', 404, 'no such page'],
  ['no JSON', `-d '{bad' SITE/api/3/action/datastore_search`, 400, 'JSONDecodeError'],
  [
    'text',
    `-H 'Content-Type: text/plain' -d resource_id=x SITE/api/3/action/datastore_search`,
    415,
    'send application/json',
  ],
])('%s', async (_, line, status, text) => {
  const answer = await paste(`curl ${line.replaceAll('SITE', site())}`, {});
  expect(answer.status).toBe(status);
  expect(answer.body).toContain(text);
});
