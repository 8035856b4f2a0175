import { expect, test } from 'vitest';
import { complaints, minimalYaml, settings } from '../../support/loading.ts';

test('a key that is given twice is not silently the last one', () => {
  const yaml =
    'resources: { r: { database: a, table: t } }\ndatabases:\n  a: { client: pglite }\n  a: { client: pglite }\n';
  expect(complaints(yaml)).toEqual(['databases.a (/my.yaml:4:3) is given twice, first in line 3']);
});

test('text that is not YAML is refused with its line', () => {
  expect(complaints('server:\n\tport: 1\n')[0]).toMatch(
    /^\/my\.yaml:2:1 is not valid YAML: lines are indented with blanks/,
  );
  expect(complaints('server: { port: 1\n')[0]).toMatch(/^\/my\.yaml:\d:\d+ is not valid YAML: /);
  expect(complaints('a: 1\n---\nb: 2\n')).toEqual(['/my.yaml:2:1 is not valid YAML: there is more than one document']);
});

test('JSON is YAML, with tabs and a byte order mark too', () => {
  const json = {
    databases: { demo: { client: 'pglite' } },
    resources: { films: { database: 'demo', table: 'film' } },
  };
  expect(settings(`\ufeff${JSON.stringify(json, null, '\t')}`)).toEqual(settings(minimalYaml));
});

test('anchors spare repetition', () => {
  const yaml = `
databases: { demo: { client: pglite } }
resources:
  a: { database: demo, table: a, access: &open { read: public } }
  b: { database: demo, table: b, access: *open }
`;
  expect(settings(yaml).resources.get('b')?.access.read).toBe('public');
  expect(complaints(yaml.replace('public', 'all'))).toHaveLength(2);
});

test('anchors cannot blow up the memory, nor run in circles', () => {
  const laughs = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 10; i++)
    laughs.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  expect(complaints(laughs.join('\n'))).toEqual(['/my.yaml:1:1 uses too many aliases']);
  expect(complaints(`${minimalYaml}\nx: &x [*x]`)).toEqual(['x[0] (/my.yaml:5:8) must not be an anchor around itself']);
  expect(complaints(`${minimalYaml}\nx: *x`)).toEqual(['x (/my.yaml:5:1) must be an anchor that was defined before']);
});

test('a file cannot choose YAML 1.1, where no is false and << merges', () => {
  const yaml = `%YAML 1.1\n---${minimalYaml.replace('films', 'no')}`;
  expect([...settings(yaml).resources.keys()]).toEqual(['no']);
  expect(complaints(`${minimalYaml}\n<<: { server: {} }`)[0]).toContain('"<<" (/my.yaml:5:1) is not a setting');
});

test('a key is the text it is written as, not the number it could be', () => {
  for (const id of ['1e3', '0x10', '1.0', '007', 'null', 'true', '~']) {
    expect([...settings(minimalYaml.replace('films', id)).resources.keys()]).toEqual([id]);
  }
});

test.each(['__proto__', '"__proto__"'])('%s is an unknown key and pollutes no prototype', (name) => {
  for (const yaml of [
    `${minimalYaml}\n${name}: { polluted: true }`,
    `${minimalYaml}\nserver: { ${name}: { polluted: true } }`,
    minimalYaml.replace('films', name),
    minimalYaml.replace('demo:', `${name}:`),
    minimalYaml.replace('table: film', `table: film, columns: { ${name}: { hidden: true } }`),
    minimalYaml.replace('table: film', `table: film, columns: { a: { info: { ${name}: { polluted: true } } } }`),
  ]) {
    expect(complaints(yaml).join('\n')).toContain('__proto__ (');
  }
  expect('polluted' in {}).toBe(false);
});

test('constructor and its like are names as any other', () => {
  for (const id of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    const yaml = `
databases: { ${id}: { client: pglite } }
resources: { ${id}: { database: ${id}, table: t, columns: { ${id}: { as: x } } } }
`;
    const loaded = settings(yaml);
    expect(loaded.databases.get(id)?.client).toBe('pglite');
    expect(loaded.resources.get(id)?.columns.get(id)?.as).toBe('x');
    expect(complaints(minimalYaml.replace('database: demo', `database: ${id}`)).join()).toContain(
      'must be the name of a configured',
    );
    expect(complaints(`${minimalYaml}\n${id}: 1`).join()).toContain(`${id} (/my.yaml:5:1) is not a setting`);
    expect(complaints(`${minimalYaml}\ntokens: [{ name: a, sha256: ${'a'.repeat(64)}, read: [${id}] }]`)).toHaveLength(
      1,
    );
  }
});

test('odd shapes are complaints, not exceptions', () => {
  const odd = [
    '5',
    '[]',
    'x',
    '{ a: 5 }',
    '{ a: [] }',
    '{ a: }',
    '{ "": {} }',
    '{ ? [a] : b }',
    '.nan',
    '{ a: { client: [] } }',
  ];
  for (const value of odd) {
    for (const name of ['databases', 'resources', 'tokens', 'server', 'cors']) {
      const rest = minimalYaml.split('\n').filter((line) => !line.startsWith(name));
      expect(complaints(`${rest.join('\n')}\n${name}: ${value}`).length, `${name}: ${value}`).toBeGreaterThan(
        name === 'tokens' && value === '[]' ? -1 : 0,
      );
    }
  }
});
