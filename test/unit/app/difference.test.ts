import { expect, test } from 'vitest';
import { differenceOf } from '../../../src/app/difference.ts';

const failed = {
  connectError: { why: 'it refuses the login', cause: null },
  server: null,
  fingerprint: '',
  definitions: '',
};
const read = { connectError: null, server: 'PostgreSQL 15', fingerprint: 'one table', definitions: '1' };

test.each([
  ['a database that is down stays in service', read, failed, 'none'],
  ['a database that is still down for the same reason', failed, failed, 'none'],
  [
    'a database that is down for another reason',
    failed,
    { ...failed, connectError: { why: 'no answer', cause: null } },
    'failure',
  ],
  ['a database that was reached for the first time', failed, read, 'content'],
  ['a changed table', read, { ...read, fingerprint: 'two tables' }, 'content'],
  ['another server with the same tables', read, { ...read, server: 'PostgreSQL 16' }, 'unseen'],
  ['the same tables, defined in another way', read, { ...read, definitions: '2' }, 'unseen'],
  ['the same once more', read, read, 'time'],
] as const)('%s', (_, before, after, difference) => {
  expect(differenceOf(before, after)).toBe(difference);
});
