/** Clients that we cannot run here, imitated by their requests: PowerShell, ckanr, front ends with tables. */
import { describe, expect, test } from 'vitest';
import { names, resources, serving, token } from './served.ts';
import { paste } from './shell.ts';

const site = serving();

describe.each(names())('on %s', (engine) => {
  const { open, closed, scratch } = resources(engine);
  const search = () => `${site()}/api/action/datastore_search`;
  const send = (line: string) => paste(`curl ${line}`, { API_TOKEN: token });
  /** Invoke-RestMethod declares a string body as a form. Windows uses CRLF, and expects `100 Continue`. */
  const powershell = (url: string, body: string) =>
    send(`${url} -A 'Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; en-US) PowerShell/7.4.1' \\
      -H "Authorization: $API_TOKEN" -H 'Content-Type: application/x-www-form-urlencoded' -H 'Expect: 100-continue' \\
      --data-binary @- <<'END'\n${body.replaceAll('\n', '\r\n')}\nEND`);
  /** ckanr always sends the token in both headers, for old and new versions of CKAN. */
  const keys = '-H "Authorization: $API_TOKEN" -H "X-CKAN-API-Key: $API_TOKEN"';
  const json = "-H 'Content-Type: application/json'";

  test('PowerShell: the search of the dialog', async () => {
    const answer = await powershell(search(), `{\n  "resource_id": "${open}",\n  "limit": 5,\n  "q": "jones"\n}`);
    expect(answer).toMatchObject({ status: 200, titles: ['Jones Creek', 'Jones & Smith = 1+1'] });
  });

  test('PowerShell: the filters of the dialog', async () => {
    const filters = '{\n    "subject": ["watershed", "survey"],\n    "stage": "active"\n  }';
    const answer = await powershell(search(), `{\n  "resource_id": "${open}",\n  "filters": ${filters}\n}`);
    expect(answer).toMatchObject({ status: 200, titles: ['Jones Creek', 'Jones & Smith = 1+1'] });
  });

  test('PowerShell: a hashtable becomes a form', async () => {
    const answer = await powershell(search(), `resource_id=${open}&limit=1&q=Gr%C3%B6%C3%9Fer+als`);
    expect(answer).toMatchObject({ status: 200, titles: ['Größer als 50%'] });
  });

  test('PowerShell: a write', async () => {
    const record = '{ "title": "a=b&c+d%41", "stage": "powershell" }';
    const url = `${site()}/api/3/action/datastore_upsert`;
    const body = `{ "resource_id": "${scratch}",\n "method": "insert", "records": [ ${record} ] }`;
    expect(await powershell(url, body)).toMatchObject({ status: 200 });
    const answer = await powershell(search(), `{"resource_id": "${scratch}", "filters": {"stage": "powershell"}}`);
    expect(answer.titles).toEqual(['a=b&c+d%41']);
  });

  test('ckanr: ds_search posts a query string and nothing else', async () => {
    const filters = '%7B%22subject%22%3A%22survey%22%7D';
    const query = `?resource_id=${open}&filters=${filters}&fields=title%2Cstage&offset=0&limit=1&sort=title%20desc`;
    const { status, result } = await send(`-d '' ${json} '${search()}${query}'`);
    expect([status, result.records]).toEqual([200, [{ title: 'Jones & Smith = 1+1', stage: 'active' }]]);
  });

  test('ckanr: the same without a word of a body', async () => {
    const { status } = await send(`-X POST ${json} ${keys} '${search()}?resource_id=${closed}&limit=1'`);
    expect(status).toBe(200);
  });

  test('ckanr: generic calls', async () => {
    const url = `${site()}/api/3/action`;
    const body = JSON.stringify({ resource_id: closed, limit: 1 });
    expect((await send(`${json} ${keys} -d '${body}' ${url}/datastore_search`)).status).toBe(200);
    expect((await send(`${keys} -F resource_id=${closed} -F limit=1 ${url}/datastore_search`)).status).toBe(200);
    expect((await send(`-X PATCH ${json} ${keys} ${url}/datastore_search`)).status).toBe(405);
    expect((await send(`-X DELETE ${json} ${keys} ${url}/datastore_search`)).status).toBe(405);
  });

  test('an older page posts a query string, and calls it a form', async () => {
    const type = "-H 'Content-Type: application/x-www-form-urlencoded; charset=UTF-8'";
    expect((await send(`-d '' ${type} '${search()}?resource_id=${open}&limit=1'`)).titles).toHaveLength(1);
  });

  test('a table on a page turns its leaves', async () => {
    const leaf = (start: number) =>
      send(
        `-G '${search()}' -d resource_id=${open} -d limit=2 -d offset=${start} -d 'sort=year+desc' -d q= -d include_total=true`,
      );
    const [first, second] = [await leaf(0), await leaf(2)];
    expect([first.result.total, second.result.total]).toEqual([4, 4]);
    expect(new Set([...first.titles, ...second.titles]).size).toBe(4);
  });
});
