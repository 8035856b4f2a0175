import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetched } from '../../support/fetched.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

const title = 'Bücher\r\nX-Evil: 1 "/..\\';

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  const isMysql = engine.client === 'mysql';
  const quote = isMysql ? '`' : '"';

  beforeAll(async () => {
    database = await freshDatabase(engine);
    const text = isMysql ? 'text CHARACTER SET utf8mb4' : 'text';
    await database.exec(
      `CREATE TABLE book (id int PRIMARY KEY, ${quote}bük${quote} ${text}, ${quote}2020${quote} numeric(30,10), ${quote}a,b${quote} ${text}, flag ${isMysql ? 'tinyint(1)' : 'boolean'})${isMysql ? ' ENGINE=InnoDB' : ''}`,
    );
    await database.exec(
      `INSERT INTO book VALUES (1, 'anna, "karenina"', 12345678901234567890.5, '', ${isMysql ? 1 : true}), (2, NULL, NULL, 'a<b>&''\u0001\r\n', ${isMysql ? 0 : false})`,
    );
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        'id "1"': {
          database: 'db',
          table: 'book',
          title,
          aliases: ['books'],
          columns: isMysql ? { flag: { boolean: true } } : {},
        },
        open: { database: 'db', table: 'book', access: { read: 'public' } },
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const dump = (query = '', headers = {}, method = 'GET') =>
    fetched(`${gateway.url}/datastore/dump/books${query}`, headers, method);

  test('each format has the bytes of the contract', async () => {
    const bodies: unknown[] = [];
    for (const format of ['', '?format=tsv', '?format=json', '?format=xml', '?format=jsonl']) {
      const { status, body, isWhole } = await dump(format);
      expect([status, isWhole]).toEqual([200, true]);
      bodies.push(body.toString());
    }
    expect(bodies).toEqual([
      '_id,id,bük,2020,"a,b",flag\n1,1,"anna, ""karenina""",12345678901234567890.5000000000,"",t\n2,2,,,"a<b>&\'\u0001\r\n",f\n',
      '_id\tid\tbük\t2020\ta,b\tflag\n1\t1\t"anna, ""karenina"""\t12345678901234567890.5000000000\t""\tt\n2\t2\t\t\t"a<b>&\'\u0001\r\n"\tf\n',
      '{\n  "fields": [{"id":"_id","type":"int"},{"id":"id","type":"int4"},{"id":"bük","type":"text"},{"id":"2020","type":"numeric"},{"id":"a,b","type":"text"},{"id":"flag","type":"bool"}],\n  "records": [\n    [1,1,"anna, \\"karenina\\"",12345678901234567890.5000000000,"",true],\n    [2,2,null,null,"a<b>&\'\\u0001\\r\\n",false]\n]}\n',
      '<data xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n<row _id="1"><id>1</id><bük>anna, "karenina"</bük><_2020>12345678901234567890.5000000000</_2020><ab /><flag>True</flag></row>\n<row _id="2"><id>2</id><bük xsi:nil="true" /><_2020 xsi:nil="true" /><ab>a&lt;b&gt;&amp;\'\ufffd&#13;\n</ab><flag>False</flag></row>\n</data>\n',
      '{"_id":1,"id":1,"bük":"anna, \\"karenina\\"","2020":12345678901234567890.5000000000,"a,b":"","flag":true}\n{"_id":2,"id":2,"bük":null,"2020":null,"a,b":"a<b>&\'\\u0001\\r\\n","flag":false}\n',
    ]);
  });

  test('geojson has the values of json, and takes the geometry from the named columns', async () => {
    const { headers, body } = await dump('?format=geojson&geometry=id,2020&fields=_id,2020,flag');
    expect(headers['content-type']).toBe('application/geo+json; charset=utf-8');
    expect(body.toString()).toBe(
      '{"type":"FeatureCollection","features":[\n{"type":"Feature","id":1,"geometry":null,"properties":{"_id":1,"2020":12345678901234567890.5000000000,"flag":true}},\n{"type":"Feature","id":2,"geometry":null,"properties":{"_id":2,"2020":null,"flag":false}}\n]}\n',
    );
    const point = await dump('?format=geojson&geometry=id,id&fields=bük&distinct=true&limit=1');
    expect(JSON.parse(point.body.toString()).features).toEqual([
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [1, 1] },
        properties: { bük: 'anna, "karenina"' },
      },
    ]);
  });

  test('the headers name the format, and nothing can be injected into them', async () => {
    const { headers } = await dump('?format=xml', { 'Accept-Encoding': 'br, gzip;q=0.5' });
    expect(headers).toMatchObject({
      'content-type': 'text/xml; charset=utf-8',
      'content-disposition': `attachment; filename="id _1_.xml"; filename*=UTF-8''B%C3%BCcher__X-Evil%3A%201%20%22_.._.xml`,
      'content-encoding': 'gzip',
      'cache-control': 'private, no-cache',
      vary: 'Authorization, X-CKAN-API-Key, Accept-Encoding',
    });
    expect(headers).not.toHaveProperty('x-evil');
    const open = await fetched(`${gateway.url}/datastore/dump/open`, { Origin: 'https://a.example' });
    expect(open.headers).toMatchObject({ 'cache-control': 'no-cache', 'access-control-allow-origin': '*' });
    expect(open.headers['content-disposition']).toBe('attachment; filename="open.csv"');
  });

  test('gzip holds the same bytes', async () => {
    const plain = await dump('?format=json');
    const packed = await dump('?format=json', { 'Accept-Encoding': 'gzip' });
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  });

  test('HEAD has the headers and nothing else', async () => {
    const get = await dump('?bom=true');
    const head = await dump('?bom=true', {}, 'HEAD');
    const { date: _date, 'x-request-id': _id, 'transfer-encoding': chunked, ...same } = get.headers;
    expect(head.headers).toMatchObject(same);
    expect(chunked).toBe('chunked');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(get.body.subarray(0, 6).toString('hex')).toBe('efbbbf5f6964');
  });

  test('a byte order mark comes before the formats that a spreadsheet opens, never before JSON', async () => {
    const starts = async (format: string) =>
      (await dump(`?bom=true&format=${format}`)).body.subarray(0, 3).toString('hex');
    expect(await Promise.all(['csv', 'tsv', 'xml'].map(starts))).toEqual(['efbbbf', 'efbbbf', 'efbbbf']);
    for (const format of ['json', 'jsonl']) expect(await starts(format)).toMatch(/^7b/);
  });

  test('parameters are those of a search; a repeated one counts once, an empty or unknown one not at all', async () => {
    const { body } = await dump(
      `?fields=b%C3%BCk&fields=id&filters=${encodeURIComponent('{"id":[1,2]}')}&sort=id+desc&limit=1&offset=&offset=1&format=&bom=&colour=red`,
    );
    expect(body.toString()).toBe('bük\n\n');
    expect((await dump('?limit=0')).body.toString()).toBe('_id,id,bük,2020,"a,b",flag\n');
    expect((await dump('?q=KARENINA&fields=id')).body.toString()).toBe('id\n1\n');
  });

  test('a name with a comma is in double quotes', async () => {
    const query = encodeURI('fields=id,"a,b"&sort="a,b" desc nulls last, id');
    expect((await dump(`?${query}`)).body.toString()).toBe('id,"a,b"\n2,"a<b>&\'\u0001\r\n"\n1,""\n');
    const search = await fetched(`${gateway.url}/api/action/datastore_search?resource_id=open&${query}`);
    expect(JSON.parse(search.body.toString()).result.records).toMatchObject([{ id: 2 }, { id: 1, 'a,b': '' }]);
  });

  test('a bad parameter is a 400 that names it', async () => {
    const answers: unknown[] = [];
    for (const query of [
      'format=pdf',
      'limit=x',
      'offset=-1',
      'filters=%7B',
      'fields=nope',
      'sort=nope',
      'geometry=id',
      'format=geojson',
      'filters=%7B%22id%22:%22x%22%7D',
    ]) {
      const { status, body } = await dump(`?${query}`);
      const { error } = JSON.parse(body.toString());
      answers.push([status, error.__type, Object.keys(error)[0]]);
    }
    const names = ['format', 'limit', 'offset', 'filters', 'fields', 'sort', 'geometry', 'geometry', 'filters'];
    expect(answers).toEqual(names.map((name) => [400, 'Validation Error', name]));
  });

  test('a caller without the right to read gets a 404', async () => {
    const stranger = await fetched(`${gateway.url}/de/datastore/dump/books`, { Authorization: 'wrong' });
    const nobody = await fetched(`${gateway.url}/datastore/dump/nothing`, { Authorization: 'wrong' });
    expect([stranger.status, nobody.status]).toEqual([404, 404]);
    expect(stranger.body.toString().replace('books', 'nothing')).toBe(nobody.body.toString());
    const put = await dump('', {}, 'PUT');
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
  });

  test('a download is logged when it has ended', async () => {
    await fetched(`${gateway.url}/en/datastore/dump/books`);
    await expect
      .poll(() => gateway.events.at(-1))
      .toMatchObject({ on: 'answered', action: 'datastore_dump', resource: 'id "1"', caller: 'tester', status: 200 });
  });
});
