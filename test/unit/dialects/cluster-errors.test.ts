/** Errors of cluster nodes, as Galera and Group Replication reported them. A single test server produces few of them. */
import { expect, test } from 'vitest';
import { classifyError } from '../../../src/dialects/mysql/classify-error.ts';

test.each([
  ['it is cut off', 1047, 'WSREP has not yet prepared node for application use', 'busy'],
  ['it has left its group', 3032, 'The server is currently in offline mode', 'busy'],
  ['another one was first, or it leaves', 3101, 'Plugin instructed the server to rollback …', 'unknown'],
  ['another one was first', 1180, "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT", 'retry'],
  ['its disk is full', 1180, "Got error 28 - 'No space left on device' during COMMIT", 'unknown'],
])('%s: %d %s', (_, errno, sqlMessage, kind) => {
  expect(classifyError(Object.assign(new Error(sqlMessage), { errno, sqlMessage })).kind).toBe(kind);
});
