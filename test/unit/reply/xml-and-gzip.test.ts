import { describe, expect, test } from 'vitest';
import { acceptsGzip } from '../../../src/reply/cached-reply.ts';
import { attachment } from '../../../src/reply/disposition.ts';
import { elementNames, xml } from '../../../src/reply/formats/xml.ts';
import { encoder } from '../../../src/values/encode.ts';

describe('names of XML elements', () => {
  test('are those of CKAN', () => {
    const bad = ['278bad_name', 'xmlbad_name', 'bad name', 'bad_(name)', '.bad_name', '-bad_name'];
    const numbered = ['', '_0', '_1', '_2', '_3', '_4'].map((end) => `bad_name${end}`);
    expect(elementNames(bad)).toEqual(numbered);
  });

  test('are names, and each its own', () => {
    const odd = ['2020', '!!!', '???', '²', 'a', 'a', 'a_0', 'XML3 x', 'µ', 'é', '字段'];
    const names = elementNames(odd);
    expect(names).toEqual(['_2020', '_', '__0', '__1', 'a', 'a_0', 'a_0_0', '_x', '__2', 'é', '字段']);
  });
});

test('JSON becomes elements, with all its digits and keys', () => {
  const format = xml.format([{ id: 'j', type: 'json' }], [encoder({ kind: 'json', binary: false, finds: 'numeric' })]);
  const row = (json: string | null) => format.row([json]).replace(/^<row>|<\/row>\n$/g, '');
  expect([
    row('{"a": [1.50, null, true, []], "b<": {}, "\\"": "\\u0000\\ud83d\\ude00"}'),
    row('[]'),
    row('"text"'),
    row('null'),
    row(null),
    row('[[12345678901234567890]]'),
  ]).toEqual([
    '<j><value key="a"><value key="0">1.50</value><value xsi:nil="true" key="1" /><value key="2">True</value><value key="3" /></value><value key="b&lt;" /><value key="&quot;">\ufffd😀</value></j>',
    '<j />',
    '<j>text</j>',
    '<j xsi:nil="true" />',
    '<j xsi:nil="true" />',
    '<j><value key="0"><value key="0">12345678901234567890</value></value></j>',
  ]);
  expect(row('['.repeat(20_000) + ']'.repeat(20_000))).toMatch(/<value key="0" \/>/);
});

test('a name in a header cannot end it', () => {
  expect(attachment('a"b\r\nX: y', 'plain', 'csv')).toBe('attachment; filename="a_b__X: y.csv"');
  expect(attachment('../x', "d'été (1)*", 'csv')).toBe(
    `attachment; filename=".._x.csv"; filename*=UTF-8''d%27%C3%A9t%C3%A9%20%281%29%2A.csv`,
  );
  expect(attachment('х', 'ascii', 'csv')).toBe(`attachment; filename="_.csv"; filename*=UTF-8''%D1%85.csv`);
  expect(attachment('x', '\ud800😀'.repeat(100), 'csv').length).toBeLessThan(800);
});

test('gzip is sent to clients that accept it', () => {
  const headers = ['gzip', 'br, x-gzip;q=0.1', '*', 'GZIP ; Q=1', 'identity;q=0.5, gzip;q=0.5'];
  const without = [undefined, '', 'br', 'gzip;q=0', '*;q=0', 'identity, gzip;q=0.5', 'gzip;q=x'];
  expect(headers.map(acceptsGzip)).toEqual(headers.map(() => true));
  expect(without.map(acceptsGzip)).toEqual(without.map(() => false));
});
