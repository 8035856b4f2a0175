import { expect, test } from 'vitest';
import { indexed, whyUnseen } from '../../../src/cache/invalidation.ts';
import { effects } from '../../../src/dialects/mysql/effects.ts';

test('a sequence of MariaDB moves without a commit, and so does a view over it', () => {
  const views = { names: [], types: [], found: 1, cells: [['shop', 'v', 'select `shop`.`s`.`n` from `shop`.`s`']] };
  const tables = [
    ['shop', 's', 'SEQUENCE', 'InnoDB'],
    ['shop', 't', 'BASE TABLE', 'InnoDB'],
  ];
  const found = effects({ answers: [null, views, null, null, null], tables, marks: [] });
  const why = (name: string) => whyUnseen({ database: 'shop', schema: null, name }, [indexed(found)], true);
  expect(why('s')).toBe('it is a sequence');
  expect(why('v')).toBe('it shows "s", and there: it is a sequence');
  expect(why('t')).toBeNull();
});
