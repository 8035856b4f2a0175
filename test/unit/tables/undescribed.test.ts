import { expect, test } from 'vitest';
import { warningOfUndescribed } from '../../../src/tables/undescribed.ts';
import { settings } from '../../support/loading.ts';

const warningOf = (more: string, count = 1, access = 'public') => {
  const resources = Array.from({ length: count }, (_, nth) => `t${nth}: { ...RESOURCE, table: t${nth} }`);
  const lines = resources.map((one) => one.replace('...RESOURCE', `database: db, access: { read: ${access} }`));
  return warningOfUndescribed(
    settings(`databases: { db: { client: pglite } }\nresources: { ${lines.join(', ')} }\n${more}`),
  );
};

test('one warning for all public tables names some of them, and what they lack', () => {
  expect(warningOf('')).toEqual([
    {
      path: ['resources'],
      says: 'should help people to use public tables: "t0" lack licence, publisher, description (catalog, datasets, description)',
    },
  ]);
  const [{ says } = { says: '' }, ...others] = warningOf('catalog: { licence: CC0-1.0 }', 7).flatMap((one) =>
    'says' in one ? [one] : [],
  );
  expect(others).toEqual([]);
  expect(says).toContain('"t0", "t1", "t2", "t3", "t4" and 2 more lack publisher, description (');
});

test('no warning where all is said, or no table is public', () => {
  const catalog = 'catalog: { licence: CC0-1.0, publisher: { name: Office } }';
  expect(warningOf(`${catalog}\ndatasets: { one: { resources: [t0], description: "Trees" } }`)).toEqual([]);
  expect(warningOf('', 2, 'token')).toEqual([]);
});
