import { expect, test } from 'vitest';
import { walCheck } from '../../../src/dialects/postgres/wal-check.ts';

const server = (major: number) => ({
  ...{
    product: 'postgres' as const,
    version: [major, 0],
    versionText: '',
    maxStatementBytes: null,
    logsStatements: false,
  },
  ...{ foldCollation: null, startId: null },
});

const good = ['f', 'gw', 'replica', 'public', 't', 't'];
const grant = 'GRANT EXECUTE ON FUNCTION pg_get_wal_records_info(pg_lsn, pg_lsn) TO gw';

test.each<readonly [number, readonly string[], readonly string[]]>([
  [15, good, []],
  [18, ['f', 'gw', 'logical', 'public', 't', 't'], []],
  [14, ['f', 'gw', 'replica', '', 'f', ''], ['the server is older than version 15']],
  [15, ['t', 'gw', 'replica', 'public', 't', 't'], ['the server is a standby']],
  [
    15,
    ['f', 'gw', 'minimal', 'public', 't', 't'],
    [
      'wal_level is minimal, and must be replica or logical: ALTER SYSTEM SET wal_level = replica; -- then restart the server',
    ],
  ],
  [
    15,
    ['f', 'gw', 'replica', '', 'f', ''],
    [`the database lacks the extension pg_walinspect: CREATE EXTENSION pg_walinspect; ${grant}`],
  ],
  [15, ['f', 'gw', 'replica', 'public', 't', 'f'], [`gw may not execute pg_get_wal_records_info: ${grant}`]],
])('version %i, %j: %j', (major, row, obstacles) => {
  const { facts } = walCheck(server(major))();
  const said = facts([{ names: [], types: [], cells: [row], found: 1 }]);
  expect(said.remarks).toEqual([]);
  expect(said.obstacles.map(({ why, remedy }) => (remedy === null ? why : `${why}: ${remedy}`))).toEqual(obstacles);
});
