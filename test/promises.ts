/**
 * Every promise of the docs, with the test that holds it and a mistake that this test finds. `docs/promises.md` is generated from it, and
 * `npm run promises` plants each mistake. A promise whose mistake no test finds is only a hope.
 */
import type { EngineName } from './parts.ts';
import type { Mistake } from './support/mistake.ts';

export interface Promised {
  readonly id: string;
  /** One sentence for users and operators. */
  readonly sentence: string;
  /** Path of the test file from the root of the repository. */
  readonly test: string;
  /** Part of the name of the test, or of its `describe`. */
  readonly name: string;
  /** Engines on which the test finds the mistake; none for a test without a database. */
  readonly engines: readonly EngineName[];
  readonly mistake: Mistake;
}

export const promisesByArea: Readonly<Record<string, readonly Promised[]>> = {
  'Values are exact': [
    {
      id: 'digits',
      sentence: 'A number keeps every digit, in both directions: no value passes through a double.',
      test: 'test/e2e/types/digits.test.ts',
      name: 'the echo and the records',
      engines: ['postgres'],
      mistake: {
        file: 'src/values/json.ts',
        right: 'if (ends.length === 0) return null;',
        wrong: 'if (ends.length >= 0) return null;',
      },
    },
    {
      id: 'no-rounding',
      sentence: 'A write stores exactly the value that was sent, or is refused: nothing is rounded or cut off.',
      test: 'test/unit/values/conversion.test.ts',
      name: 'beyond: value "12.505" has more digits than type numeric(5,2) holds',
      engines: [],
      mistake: {
        file: 'src/values/decimal.ts',
        right: 'number.exponent >= -places && magnitude(number) <= maxWholeDigits',
        wrong: 'magnitude(number) <= maxWholeDigits',
      },
    },
    {
      id: 'equality',
      sentence: 'Equality is exact on every collation: `Müller` is not `muller`, and `a ` is not `a`.',
      test: 'test/e2e/types/text-equality.test.ts',
      name: 'every text finds itself alone',
      engines: ['mariadb'],
      mistake: {
        file: 'src/dialects/mysql/select.ts',
        right: "if (column.equality !== 'folds') return raw(",
        wrong: "if (column.equality !== 'folds' || values.length > 0) return raw(",
      },
    },
    {
      id: 'ranges',
      sentence: 'The bound of a range is never rounded: `{"n": {"gt": 2.5}}` on an integer column finds 3, and not 2.',
      test: 'test/unit/actions/range-bounds.test.ts',
      name: 'int',
      engines: [],
      mistake: {
        file: 'src/values/range.ts',
        right: 'return { is: beyond(bound), value: String(whole) };',
        wrong: "return { is: 'at', value: String(whole) };",
      },
    },
    {
      id: 'order',
      sentence: 'Every engine sorts NULLs to the same end, ascending last and descending first.',
      test: 'test/e2e/paging/complete-walks.test.ts',
      name: 'whatever its values, is one big page',
      engines: ['mariadb'],
      mistake: {
        file: 'src/dialects/mysql/order.ts',
        right: 'if (nullable && !isUsual(one))',
        wrong: 'if (nullable && isUsual(one))',
      },
    },
    {
      id: 'retyped',
      sentence: 'A column whose type changes under the gateway is never shown as its former type.',
      test: 'test/e2e/operation/schema-changes.test.ts',
      name: 'a retyped column is never encoded as its former type',
      engines: ['postgres'],
      mistake: {
        file: 'src/execute/connection/session.ts',
        right: "if (types.every((type, at) => type === '' || actual[at] === type)) return;",
        wrong: "if (types.every((type, at) => type === '' || actual[at] !== undefined)) return;",
      },
    },
  ],
  'Reads are fresh': [
    {
      id: 'own-writes',
      sentence: 'No response that is sent after the response to a write shows the state before it.',
      test: 'test/e2e/cache/cached-answers.test.ts',
      name: 'after a write no caller sees the old records: in the table, in views, in tables it cascades to',
      engines: ['postgres'],
      mistake: {
        file: 'src/pipeline/write.ts',
        right: 'await gateway.invalidate(resource, sessions.transactions);',
        wrong: 'setTimeout(() => gateway.invalidate(resource, sessions.transactions), 1000);',
      },
    },
    {
      id: 'views',
      sentence: 'A write also invalidates what shows its table: views, views over views, partitions, cascades.',
      test: 'test/e2e/cache/cached-answers.test.ts',
      name: 'after a write no caller sees the old records: in the table, in views, in tables it cascades to',
      engines: ['postgres'],
      mistake: {
        file: 'src/cache/invalidation.ts',
        right: 'for (const ends of next) for (const end of ends.get(name) ?? []) queue.push(end);',
        wrong: 'for (const ends of next) if (ends.size < 0) queue.push(...(ends.get(name) ?? []));',
      },
    },
    {
      id: 'outside-writes',
      sentence: 'A commit of another program is visible after `maxStaleness`, 50 ms by default, whatever the `ttl`.',
      test: 'test/e2e/workers/outside-writes.test.ts',
      name: 'each worker proves its own answers',
      engines: ['postgres'],
      mistake: {
        file: 'src/dialects/postgres/commit-markers.ts',
        right: 'JSON.stringify(answer.cells[0].map(String))',
        wrong: 'JSON.stringify(answer.cells[0].map((cell) => typeof cell))',
      },
    },
    {
      id: 'every-answer-proved',
      sentence: 'With `maxStaleness: 0` each cached answer is checked with the database after its request has come.',
      test: 'test/unit/cache/freshness.test.ts',
      name: 'a proof',
      engines: [],
      mistake: {
        file: 'src/cache/freshness.ts',
        right: 'if (age > maxStaleness ||',
        wrong: 'if (age > maxStaleness + 50 ||',
      },
    },
    {
      id: 'workers',
      sentence: 'A write is answered only after every worker has invalidated its entries.',
      test: 'test/contract/bus/bus-message-loss.test.ts',
      name: 'a write has invalidated the caches of all processes when it is answered',
      engines: [],
      mistake: {
        file: 'src/cache/buses/hub.ts',
        right: '.filter((other) => other !== from)',
        wrong: '.filter((other) => other === from)',
      },
    },
    {
      id: 'dead-worker',
      sentence:
        'When a worker dies, the others clear their caches, because its last writes may not have been announced.',
      test: 'test/contract/bus/bus-message-loss.test.ts',
      name: 'when a worker dies, the others empty their caches',
      engines: [],
      mistake: {
        file: 'src/cache/buses/hub.ts',
        right: "this.#publish(this.#members, [{ type: 'forget' }]);",
        wrong: 'this.#publish(this.#members, []);',
      },
    },
    {
      id: 'other-gateways',
      sentence: 'With `cache.otherGateways` no later response of any gateway lacks an answered write.',
      test: 'test/property/outside/other-gateways.long.test.ts',
      name: 'no answer that was asked for after a write lacks it',
      engines: ['postgres'],
      mistake: {
        file: 'src/tables/other-gateways.ts',
        right: 'for (let waitMs = maxStaleness;',
        wrong: 'for (let waitMs = 0;',
      },
    },
    {
      id: 'open-outcome',
      sentence: 'While the outcome of a commit is unknown, nothing over its tables is cached.',
      test: 'test/fault/lost-commit-and-cache.test.ts',
      name: 'a commit that comes after the client got an unknown outcome is seen as soon as it is there',
      engines: ['mariadb'],
      mistake: {
        file: 'src/pipeline/write.ts',
        right: 'if (error instanceof UnknownOutcome) await gateway.suspend(resource, error.settled);',
        wrong: '',
      },
    },
    {
      id: 'no-cache',
      sentence: '`Cache-Control: no-cache` always reads the database.',
      test: 'test/e2e/cache/cached-answers.test.ts',
      name: 'a client that requests a fresh answer gets it, and the others get it from the cache',
      engines: ['postgres'],
      mistake: {
        file: 'src/cache/results.ts',
        right: 'if (refusesCached)\n',
        wrong: 'if (refusesCached && ttl < 0)\n',
      },
    },
    {
      id: 'not-modified',
      sentence: 'A 304 is sent only to a client that has the current bytes.',
      test: 'test/e2e/cache/late-and-leaving-readers.test.ts',
      name: 'an ETag of before a restart is good for the bytes it was given for, and for no others',
      engines: ['postgres'],
      mistake: {
        file: 'src/reply/cached-reply.ts',
        right: "one.trim().replace(/^W\\/|-gzip(?=\"$)/g, '') === etag",
        wrong: "one.trim().replace(/^W\\/|-gzip(?=\"$)/g, '') !== etag.slice(1)",
      },
    },
    {
      id: 'replicas',
      sentence: 'A read replica answers only if it has every write that was answered before the read was asked for.',
      test: 'test/unit/replicas/primary-log.test.ts',
      name: 'a question that was sent before the moment does not answer',
      engines: [],
      mistake: {
        file: 'src/replicas/primary-log.ts',
        right: 'at < moment || clockDrift(offset) > 0',
        wrong: 'at < moment - 1000 || clockDrift(offset) > 0',
      },
    },
  ],
  'Rights hold': [
    {
      id: 'closed',
      sentence: 'Nothing is public, and nothing can be written, unless the configuration says so.',
      test: 'test/unit/config/defaults.test.ts',
      name: 'no caller may read or write unless the configuration allows it',
      engines: [],
      mistake: {
        file: 'src/config/settings.ts',
        right: "choice('public', 'token'),\n      'token',",
        wrong: "choice('public', 'token'),\n      'public',",
      },
    },
    {
      id: 'writes-need-rights',
      sentence: 'A write needs a token that lists the resource for writing; one that may only read is not enough.',
      test: 'test/hostile/private-resource.test.ts',
      name: 'a caller that may only read gets one and the same 403 for every write',
      engines: ['postgres'],
      mistake: {
        file: 'src/accept/permit.ts',
        right: "resource.access.write === 'token' && listed(caller?.write, resource.id)",
        wrong: "resource.access.write === 'token' && listed(caller?.read, resource.id)",
      },
    },
    {
      id: 'rights-before-cache',
      sentence: 'Permissions are checked for each request, before the cache is looked at.',
      test: 'test/e2e/cache/cached-answers.test.ts',
      name: 'a caller does not get from the cache what it may not read, on the fast path and off it',
      engines: ['postgres'],
      mistake: {
        file: 'src/pipeline/request-cache.ts',
        right: 'headers.authorization === same.authorization &&',
        wrong: '',
      },
    },
    {
      id: 'hidden-columns',
      sentence: 'A hidden column is answered like one that does not exist: nobody can read, filter, sort or guess it.',
      test: 'test/hostile/private-resource.test.ts',
      name: 'a hidden column is answered like one that does not exist',
      engines: ['postgres'],
      mistake: {
        file: 'src/tables/bind.ts',
        right: 'settings.get(column.name)?.hidden !== true && (',
        wrong: '(',
      },
    },
    {
      id: 'sealed-cursors',
      sentence: 'A cursor shows neither the values of hidden columns nor how long they are.',
      test: 'test/unit/actions/forged-cursor.test.ts',
      name: 'the length of a cursor does not reveal that of a hidden key',
      engines: [],
      mistake: {
        file: 'src/actions/query/cursor.ts',
        right: "return text + ' '.repeat(size - bytes);",
        wrong: "return text + ' '.repeat(size - size);",
      },
    },
    {
      id: 'one-search',
      sentence: 'A cursor is valid for the resource and the sort that it was given for, and for no others.',
      test: 'test/unit/actions/forged-cursor.test.ts',
      name: 'a place',
      engines: [],
      mistake: {
        file: 'src/actions/query/cursor.ts',
        right: 'return JSON.stringify([resource, database, schema, name, order]);',
        wrong: 'return JSON.stringify([resource, database, schema, name]);',
      },
    },
    {
      id: 'jsonp',
      sentence: 'A call with a JSONP callback is anonymous, whatever token comes with it.',
      test: 'test/wire/transcripts.test.ts',
      name: '530_pages_elsewhere.txt',
      engines: ['postgres'],
      mistake: {
        file: 'src/pipeline/answer.ts',
        right: "received.anonymous ? sentBy(sent, 'callback') : sent",
        wrong: 'received.anonymous ? sent : sent',
      },
    },
  ],
  'No value becomes code': [
    {
      id: 'names',
      sentence: 'No name of a table or column becomes SQL, whatever characters it has.',
      test: 'test/hostile/odd-names.long.test.ts',
      name: 'all columns are there, each under its own name',
      engines: ['mariadb'],
      mistake: { file: 'src/dialects/mysql/column.ts', right: "name.replace(/`/g, '``')", wrong: 'name' },
    },
    {
      id: 'values',
      sentence: 'No value of a client becomes SQL: it is bound, or stands in the statement as checked digits.',
      test: 'test/hostile/text-round-trip.long.test.ts',
      name: 'every text is stored and read byte for byte, alone and among others',
      engines: ['mariadb'],
      mistake: {
        file: 'src/dialects/mysql/column.ts',
        right: 'default:\n      return bound;',
        wrong: 'default:\n      return raw(["\'", "\'"].join(bound));',
      },
    },
    {
      id: 'error-texts',
      sentence: 'No response has a text of the database in it: it may contain SQL, or values of other rows.',
      test: 'test/hostile/private-resource.test.ts',
      name: 'a refused write does not name the hidden column that refused it',
      engines: ['postgres'],
      mistake: {
        file: 'src/model/errors.ts',
        right: "return violates('duplicate key value violates unique constraint', key?.columns);",
        wrong: 'return key === undefined ? records(String(cause)) : records(String(cause), key.columns[0]);',
      },
    },
    {
      id: 'html',
      sentence: 'No title, id or value becomes HTML.',
      test: 'test/e2e/http/front-page.test.ts',
      name: 'titles and ids are text, whatever they hold',
      engines: ['postgres'],
      mistake: { file: 'src/values/html.ts', right: '/[&<>"\']/g', wrong: '/[&"\']/g' },
    },
  ],
  'Each client has bounds': [
    {
      id: 'body',
      sentence: 'A body over its limit is refused, before a parser reads it, whether its length was declared or not.',
      test: 'test/e2e/http/server.test.ts',
      name: 'a chunked body over the limit is refused on the way',
      engines: [],
      mistake: {
        file: 'src/accept/body.ts',
        right: 'if (size + chunk.length > limit.bytes) {',
        wrong: 'if (size + chunk.length > limit.bytes * 100) {',
      },
    },
    {
      id: 'compressed',
      sentence: 'The limit of a body holds for its decompressed bytes, to the byte.',
      test: 'test/e2e/http/compressed-bodies.test.ts',
      name: 'the limit holds for the unpacked bytes, to the byte',
      engines: [],
      mistake: {
        file: 'src/accept/decode.ts',
        right: 'maxOutputLength: Math.min(limit.bytes, maxBytes)',
        wrong: 'maxOutputLength: Math.min(limit.bytes + 1, maxBytes)',
      },
    },
    {
      id: 'held-bodies',
      sentence: 'The bodies of all calls together take at most `limits.incomingBytes` of memory.',
      test: 'test/e2e/http/incoming-bytes.test.ts',
      name: 'over the bound the body that has stood still longest is refused, and the bound is kept',
      engines: [],
      mistake: {
        file: 'src/accept/incoming-bytes.ts',
        right: 'if (this.#bytes <= this.#max) return;',
        wrong: 'if (this.#bytes <= this.#max * 2) return;',
      },
    },
    {
      id: 'response',
      sentence: 'A response over `limits.responseBytes` is refused, to the byte, and the refusal says what to change.',
      test: 'test/contract/format/records.test.ts',
      name: 'too large is refused at the very byte, escapes counted',
      engines: [],
      mistake: {
        file: 'src/reply/records.ts',
        right: 'to.length - before > maxBytes) throw',
        wrong: 'to.length - before > maxBytes + 1) throw',
      },
    },
    {
      id: 'words',
      sentence: 'A search has at most `limits.qWords` words; more are refused, not left out.',
      test: 'test/unit/actions/full-text-queries.test.ts',
      name: 'more than allowed are refused, not cut, wherever they stand',
      engines: [],
      mistake: {
        file: 'src/actions/query/words.ts',
        right: 'if (count > bounds.qWords) tooMany(parameter, bounds.qWords, count);',
        wrong: 'if (count < 0) tooMany(parameter, bounds.qWords, count);',
      },
    },
    {
      id: 'filter-values',
      sentence: 'The filters of a call have at most `limits.inValues` values, nested ones included.',
      test: 'test/unit/actions/nested-arrays.test.ts',
      name: 'values inside lists are counted',
      engines: [],
      mistake: {
        file: 'src/actions/query/filters.ts',
        right: 'if (values > inValues)',
        wrong: 'if (values > inValues * 10)',
      },
    },
    {
      id: 'connections',
      sentence:
        'At `limits.connections` a new client closes the connection that was idle longest, and none with a running call.',
      test: 'test/e2e/http/connection-limit.test.ts',
      name: 'the connection that has been idle longest is closed for a new one, and none with a call under way',
      engines: [],
      mistake: {
        file: 'src/accept/connections.ts',
        right: '.sort((a, b) => b.used - a.used);',
        wrong: '.sort((a, b) => a.used - b.used);',
      },
    },
    {
      id: 'rate',
      sentence: '`rateLimit` counts each call of a token or an address, cache hits included.',
      test: 'test/e2e/operation/rate-limit.test.ts',
      name: 'each has so many calls, also where they are answered from the cache, and no more',
      engines: ['postgres'],
      mistake: {
        file: 'src/accept/rates.ts',
        right: 'if (performance.now() < until) return false;',
        wrong: 'if (performance.now() < until) return true;',
      },
    },
    {
      id: 'cache-bytes',
      sentence: 'The entries of the cache take at most `cache.maxBytes`, with everything that belongs to them.',
      test: 'test/unit/cache/store.test.ts',
      name: 'an object that has grown counts with its new size, whoever stores it again',
      engines: [],
      mistake: {
        file: 'src/cache/store.ts',
        right: 'if (isAgain) this.#remove(key, entry);',
        wrong: 'if (!isAgain) this.#remove(key, entry);',
      },
    },
    {
      id: 'streams',
      sentence: 'A single client can take at most half of the streams of change notices.',
      test: 'test/e2e/changes/own-writes.test.ts',
      name: 'more than limits.subscribers is a 503; a client may have half',
      engines: ['pglite'],
      mistake: { file: 'src/notices/subscribers.ts', right: 'Math.ceil(maxStreams / 2)', wrong: 'maxStreams' },
    },
  ],
  'The database is not harmed': [
    {
      id: 'abandoned',
      sentence: 'A search is cancelled on the server when its last client has left.',
      test: 'test/fault/abandoned-calls.test.ts',
      name: 'a search is ended on the server when its last client has left, not before',
      engines: ['postgres'],
      mistake: {
        file: 'src/execute/connection/statement-runner.ts',
        right: 'this.#breaker.isAway ? Promise.reject() : this.#driver.cancel(raw);',
        wrong: 'this.#breaker.isAway ? Promise.reject() : Promise.resolve();',
      },
    },
    {
      id: 'time-limit',
      sentence: 'A statement that exceeds `statementTimeout` ends with an error, and is gone from the server.',
      test: 'test/e2e/read/slow-statements.test.ts',
      name: 'a search over its time gets an error, and its statement is gone from the server',
      engines: ['postgres'],
      mistake: {
        file: 'src/servers/pools.ts',
        right: '...pool, statementTimeout, replicas }',
        wrong: '...pool, statementTimeout: 100 * statementTimeout, replicas }',
      },
    },
    {
      id: 'slow-clients',
      sentence: 'A download holds no lock and no session at the pace of its client: the gateway reads ahead.',
      test: 'test/e2e/dump/slow-downloads.long.test.ts',
      name: 'ten clients that take nothing hold no lock, and each gets all when it goes on',
      engines: ['postgres'],
      mistake: {
        file: 'src/execute/dump/read-ahead.ts',
        right: 'if (!this.#spool.hasRoom(bytes)) return false;',
        wrong: 'if (this.#spool.hasRoom(bytes)) return false;',
      },
    },
    {
      id: 'pool',
      sentence: 'The gateway opens at most `pool.max` sessions for calls; a call that waits too long for one is a 503.',
      test: 'test/fault/broken-sessions.test.ts',
      name: 'where all sessions are busy, a call is refused soon, and a later one is answered',
      engines: ['postgres'],
      mistake: {
        file: 'src/execute/connection/pool.ts',
        right: 'max,\n        idleTimeoutMillis',
        wrong: 'max: max + 1,\n        idleTimeoutMillis',
      },
    },
    {
      id: 'looking',
      sentence: '`init`, `check` and `serve URL` change nothing: their sessions are read-only.',
      test: 'test/e2e/operation/init.long.test.ts',
      name: 'serve URL changes nothing, not even by a view that calls a function',
      engines: ['postgres'],
      mistake: {
        file: 'src/dialects/postgres.ts',
        right: "'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY'",
        wrong: "'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE'",
      },
    },
    {
      id: 'other-databases',
      sentence: 'A database that cannot be reached does not affect the resources of the others.',
      test: 'test/e2e/operation/command-line.test.ts',
      name: 'serve: an unreachable database does not end it: its resources answer 503, the others answer',
      engines: ['postgres'],
      mistake: {
        file: 'src/tables/snapshot.ts',
        right: 'connectError?.cause instanceof SharedSession)',
        wrong: 'connectError?.cause instanceof SharedSession || connectError !== null)',
      },
    },
  ],
  'Writes are all or nothing': [
    {
      id: 'all-or-nothing',
      sentence: 'A call writes all of its records, or none.',
      test: 'test/e2e/write/failing-records.test.ts',
      name: 'undoes the whole call and is named',
      engines: ['postgres'],
      mistake: {
        file: 'src/execute/write/transaction.ts',
        right: "session.run(plain('ROLLBACK')).then(",
        wrong: "session.run(plain('COMMIT')).then(",
      },
    },
    {
      id: 'failing-record',
      sentence: 'The error of a write names the record that failed.',
      test: 'test/e2e/write/failing-records.test.ts',
      name: 'of two failing records the first is named, wherever their keys stand',
      engines: ['postgres'],
      mistake: {
        file: 'src/execute/write/attempt.ts',
        right: 'this.#plan.table, record.row, error)',
        wrong: 'this.#plan.table, 0, error)',
      },
    },
    {
      id: 'dry-run',
      sentence: 'A dry run answers as the write would, and leaves nothing behind.',
      test: 'test/e2e/write/dry-run-of-deletes.test.ts',
      name: 'it answers as the delete does, and leaves what the delete, its cascades and its triggers would change',
      engines: ['postgres'],
      mistake: {
        file: 'src/execute/write/delete.ts',
        right: 'const keeps = () => !dryRun;',
        wrong: 'const keeps = () => true;',
      },
    },
    {
      id: 'unknown-outcome',
      sentence: 'A write whose outcome nobody knows is a 503 of its own kind, and never reported as done or undone.',
      test: 'test/fault/lost-commit.test.ts',
      name: 'where the server cannot be queried, the outcome is reported as unknown',
      engines: ['mariadb'],
      mistake: {
        file: 'src/execute/write/transaction.ts',
        right: "if (kind === 'connection' || kind === 'timeout' || kind === 'unknown') throw",
        wrong: "if (kind === 'timeout') throw",
      },
    },
    {
      id: 'delete-all',
      sentence: 'A delete whose filters name no field deletes nothing, unless the resource has `deleteAll: true`.',
      test: 'test/unit/actions/writes.test.ts',
      name: 'filters that say nothing delete everything only where that is allowed',
      engines: [],
      mistake: {
        file: 'src/actions/write/deletion.ts',
        right: 'if (matchesEverything(condition) && !access.deleteAll) throw',
        wrong: 'if (matchesEverything(condition) && access.deleteAll) throw',
      },
    },
    {
      id: 'own-key',
      sentence: 'A key that a collation takes for another record is refused, and changes no record.',
      test: 'test/e2e/write/records-and-keys.test.ts',
      name: 'is never the record it resembles',
      engines: ['mariadb'],
      mistake: {
        file: 'src/execute/write/lock-keys.ts',
        right: 'if (!requested.has(identity)) resembling = true;',
        wrong: 'if (!requested.has(identity)) for (const other of requested.keys()) stored.add(other);',
      },
    },
  ],
  'Pages and downloads are complete': [
    {
      id: 'pages',
      sentence: 'Following `next_page`, a client gets each record exactly once, also where many have equal values.',
      test: 'test/e2e/paging/complete-walks.test.ts',
      name: 'whatever its values, is one big page',
      engines: ['mariadb'],
      mistake: {
        file: 'src/dialects/after.ts',
        right: "if (tie !== null) parts.push(raw('(?? = ? AND ?)', [name, stored, tie]));",
        wrong: '',
      },
    },
    {
      id: 'download-bytes',
      sentence: 'A download has the same values as a search, to the byte.',
      test: 'test/contract/format/downloads.test.ts',
      name: 'each format has the bytes of the contract',
      engines: ['mariadb'],
      mistake: { file: 'src/reply/formats/quote.ts', right: "value.replaceAll('\"', '\"\"')", wrong: 'value' },
    },
    {
      id: 'broken-download',
      sentence: 'A download that breaks off does not look complete.',
      test: 'test/e2e/dump/interrupted-downloads.long.test.ts',
      name: 'a dump whose session dies does not look whole',
      engines: ['postgres'],
      mistake: {
        file: 'src/reply/send.ts',
        right: 'const cut = () => void res.destroy();',
        wrong: 'const cut = () => void res.end();',
      },
    },
    {
      id: 'estimates',
      sentence: 'A total that took too long to count is an estimate, and says so.',
      test: 'test/e2e/read/slow-statements.test.ts',
      name: 'a total that takes too long is estimated and says so, on the only session of a pool too',
      engines: ['postgres'],
      mistake: {
        file: 'src/actions/datastore_search.ts',
        right: "members.push(['total_was_estimated', total.is !== 'exact']);",
        wrong: "members.push(['total_was_estimated', total.is === 'exact']);",
      },
    },
    {
      id: 'notices',
      sentence: 'Each write has its event in the streams of `datastore_changes`.',
      test: 'test/e2e/changes/own-writes.test.ts',
      name: 'the first event of each resource says where the client stands, and each write has its event',
      engines: ['pglite'],
      mistake: {
        file: 'src/notices/watched-resources.ts',
        right: 'watched.foundAt = changedAt;',
        wrong: 'watched.foundAt = Number.MAX_VALUE;',
      },
    },
  ],
  'Forwarding is safe': [
    {
      id: 'second-answer',
      sentence:
        'A connection on which the upstream sent more than one answer is not used again: nobody gets the answer of another.',
      test: 'test/e2e/forward/disconnects.test.ts',
      name: 'a connection on which the application sent more than one answer is not used again',
      engines: [],
      mistake: {
        file: 'src/forward/connections.ts',
        right: 'connection.idleSince === null || socket.destroy()',
        wrong: 'connection.idleSince === null || socket',
      },
    },
    {
      id: 'framing',
      sentence: 'A request that two HTTP parsers could read differently is a 400, and nothing behind it is a request.',
      test: 'test/hostile/request-smuggling.test.ts',
      name: 'is 400, and nothing behind it is a call',
      engines: [],
      mistake: { file: 'src/accept/framing.ts', right: 'if (hosts > 1) return', wrong: 'if (hosts > 2) return' },
    },
    {
      id: 'forged-headers',
      sentence: 'Headers about the client that an untrusted client sends do not reach the upstream, in any spelling.',
      test: 'test/e2e/forward/forwarded-headers.test.ts',
      name: 'forged identity headers do not reach the application, however they are spelled',
      engines: [],
      mistake: {
        file: 'src/forward/headers.ts',
        right: 'return !isTrusted && forwardingHeader.test(name);',
        wrong: 'return isTrusted && forwardingHeader.test(name);',
      },
    },
    {
      id: 'own-tokens',
      sentence: 'A token of the gateway is never forwarded.',
      test: 'test/e2e/forward/pass-through.test.ts',
      name: 'a token of ours goes no further, one of the application does',
      engines: ['postgres'],
      mistake: {
        file: 'src/accept/caller.ts',
        right: "tokens.some((token) => token !== '' && isOurs(token))",
        wrong: "tokens.some((token) => token === '' && isOurs(token))",
      },
    },
  ],
  Operation: [
    {
      id: 'reload',
      sentence: 'A reload takes over the whole configuration, or, with any error, nothing of it.',
      test: 'test/e2e/operation/reload-and-refresh.test.ts',
      name: 'a reload serves what was added, hides what it hides, and keeps the old configuration when the new one is wrong',
      engines: ['postgres'],
      mistake: {
        file: 'src/app/current.ts',
        right: 'if (complaints.length > 0 && !isLenient) {',
        wrong: 'if (complaints.length > 0 && isLenient) {',
      },
    },
    {
      id: 'revoked',
      sentence: 'A right that a reload takes away is gone with the first call after it, cached or not.',
      test: 'test/e2e/cache/cached-answers.test.ts',
      name: 'a reload that hides a column, or takes the right away, holds from the first call',
      engines: ['postgres'],
      mistake: {
        file: 'src/app/current.ts',
        right: 'this.#gateway = this.#make(next.settings, snapshots);',
        wrong: 'this.#gateway = this.#make({ ...next.settings, tokens: before.tokens }, snapshots);',
      },
    },
    {
      id: 'draining',
      sentence: 'At SIGTERM running calls have `server.drainTimeout` to finish.',
      test: 'test/e2e/http/server.test.ts',
      name: 'closing lets running calls finish and ends the rest',
      engines: [],
      mistake: {
        file: 'src/accept/connections.ts',
        right: 'const timer = setTimeout(() => this.closeAll(), graceMs);',
        wrong: 'const timer = setTimeout(() => this.closeAll(), graceMs * 0);',
      },
    },
    {
      id: 'misspelt-names',
      sentence: 'A refusal of an unknown field suggests the most similar one that the caller may use.',
      test: 'test/unit/actions/misspelt-names.test.ts',
      name: 'in fields, sort, filters and q',
      engines: [],
      mistake: {
        file: 'src/values/nearest.ts',
        right: 'Math.min(2, Math.floor(length / 3))',
        wrong: 'Math.min(0, Math.floor(length / 3))',
      },
    },
    {
      id: 'complaints',
      sentence: 'An error in the configuration is reported with its path, its line, and what was expected.',
      test: 'test/unit/config/complaints.test.ts',
      name: 'each names its path, its line, the expected and the found, in the order of the file',
      engines: [],
      mistake: { file: 'src/config/complaints.ts', right: 'where === null ? path :', wrong: 'where !== null ? path :' },
    },
  ],
  'Secrets stay secret': [
    {
      id: 'configured-secrets',
      sentence: 'A secret from a variable or a file is in no error, wherever it was put by mistake.',
      test: 'test/unit/config/secrets.test.ts',
      name: 'a secret from a variable or a file is hidden wherever it appears, through aliases too',
      engines: [],
      mistake: {
        file: 'src/config/complaints.ts',
        right: "if (hidden) return '(hidden)';",
        wrong: "if (hidden && value === 0) return '(hidden)';",
      },
    },
    {
      id: 'log',
      sentence: 'The log has no token, and no value of a call or a record.',
      test: 'test/e2e/watch/request-ids.test.ts',
      name: 'no token and no value of a client or a record comes into the log, whatever the database says of them',
      engines: ['postgres'],
      mistake: {
        file: 'src/watch/log.ts',
        right: 'isOfConnecting ? cause.message : unquoted(cause.message)',
        wrong: 'isOfConnecting ? unquoted(cause.message) : cause.message',
      },
    },
    {
      id: 'private-columns',
      sentence: '`init` and `serve URL` hide columns whose names say a secret.',
      test: 'test/unit/propose/private-columns.test.ts',
      name: 'says a secret',
      engines: [],
      mistake: {
        file: 'src/propose/private.ts',
        right: 'says(phrases.secret, words) || isOfSecret || isInside(secretPart)',
        wrong: 'isInside(secretPart)',
      },
    },
  ],
};

export const promises: readonly Promised[] = Object.values(promisesByArea).flat();
