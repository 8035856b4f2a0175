import { expect, test } from 'vitest';
import { settings } from '../../support/loading.ts';

const resources = (siteUrl: string, more = '') => {
  const yaml = `
server: { siteUrl: "${siteUrl}", basePath: /data }
databases: { demo: { client: pglite } }
datasets: { places: { resources: [cities] }, trees: { resources: [cities_2] } }
resources:
  ${['cities', 'cities_2', 'trees', 'Straßen & Bäume', '木', 'x'].map((id) => `"${id}": { database: demo, table: t }`).join('\n  ')}
${more}`;
  return [...settings(yaml).resources.values()].map(({ name, identity }) => ({ name, ...identity }));
};

test('a resource and its dataset have UUIDs, the same after each start, and others at another site', () => {
  const [first, again, other] = [
    resources('https://a.example'),
    resources('https://a.example/'),
    resources('https://b.example'),
  ];
  expect(again).toEqual(first);
  const uuids = [first, other].flatMap((all) => all.flatMap(({ uuid, dataset }) => [uuid, dataset.uuid]));
  expect(new Set(uuids).size).toBe(uuids.length);
  for (const uuid of uuids)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a dataset has a name that CKAN takes, and its own even beside a configured one of that name', () => {
  const names = resources('https://a.example').map(({ name, dataset }) => [name, dataset.name]);
  expect(names).toEqual([
    ['cities', 'places'],
    ['cities_2', 'trees'],
    ['trees', expect.stringMatching(/^trees-[0-9a-f]{8}$/)],
    ['Straßen & Bäume', expect.stringMatching(/^strassen-baume-[0-9a-f]{8}$/)],
    ['木', expect.stringMatching(/^table-[0-9a-f]{8}$/)],
    ['x', expect.stringMatching(/^x-[0-9a-f]{8}$/)],
  ]);
});
