import type { Server } from '../model/catalog.ts';
import type { EditDialect } from '../model/dialect/edit.ts';
import type { HitsOf } from '../model/dialect/read.ts';
import type { Family } from '../model/dialect.ts';
import { isRank } from '../model/plan.ts';
import { plain } from '../model/rows.ts';
import { encoders, rankEncoder } from '../values/encode.ts';
import { countRanges, countValues, extent } from './aggregate.ts';
import { advisor } from './mysql/advice.ts';
import { estimateValues } from './mysql/aggregate.ts';
import { catalog } from './mysql/catalog.ts';
import { classifyError } from './mysql/classify-error.ts';
import { hidden, outputType, prepared, statement } from './mysql/column.ts';
import { commitMarkers } from './mysql/commit-markers.ts';
import { definition } from './mysql/definition.ts';
import { feedCheck } from './mysql/feed.ts';
import { outage } from './mysql/outage.ts';
import { asking } from './mysql/question.ts';
import { check, count, estimate, hits, search, searchTypes } from './mysql/read.ts';
import { replication } from './mysql/replication.ts';
import { sessionSetup } from './mysql/session-setup.ts';
import { sizes } from './mysql/size.ts';
import { rowEstimates, sample, survey } from './mysql/survey.ts';
import { countOf, insert, lock, lockedUpdate, records, remove, update, updateOne } from './mysql/write.ts';
import { ask } from './question.ts';
import { cachedReads, cachedTemplates } from './templates.ts';

/** MySQL 5.6 and newer, MariaDB 10.4 and newer. */
export const mysql: Family = {
  serverQuery: 'SELECT version(), @@max_allowed_packet, @@log_bin, @@binlog_format',
  server(answer) {
    const [version, packet, logs, format] = (answer.cells[0] ?? []).map(String);
    const isMariadb = /mariadb/i.test(version ?? '');
    return {
      product: isMariadb ? 'mariadb' : 'mysql',
      version: (version ?? '').split(/[.-]/).slice(0, 3).map(Number),
      versionText: `${isMariadb ? 'MariaDB' : 'MySQL'} ${(version ?? '').replace(/-mariadb/i, '')}`,
      maxStatementBytes: Number(packet),
      logsStatements: Number(logs) === 1 && format === 'STATEMENT',
      foldCollation: null,
      startId: null,
    };
  },

  outage,

  dialect(server) {
    const encoderOf = encoders();
    const questions = asking(server);
    const { counting: groups } = questions;
    const searched = cachedReads((read) => ({ types: searchTypes(read), ...statement(search(read)) }), true);
    const hitsOf = cachedReads((read, which: HitsOf) => {
      const query = hits(read, which, server);
      return query === null ? null : { types: searchTypes(read), ...statement(query) };
    }, true);
    return {
      sessionSetup: (use) => sessionSetup(server, use),
      readOnlySetup: 'SET SESSION TRANSACTION READ ONLY',
      // In seconds. 0 means no wait, but only on MariaDB.
      replicaSetup: `SET SESSION lock_wait_timeout = ${server.product === 'mariadb' ? 0 : 1}`,
      // Not SELECT 1: a Galera node that is cut off from its cluster still answers a SELECT without tables.
      probe: plain('DO 1'),
      search: (read) => searched(read, 'search'),
      hits: hitsOf,
      // SQL_BUFFER_RESULT makes the server copy the rows into a temporary table and then release its table locks.
      unlocked: (read) => ({ types: searchTypes(read), ...statement(search(read, 'SQL_BUFFER_RESULT')) }),
      check: (table, columns) => ({
        types: columns.map((column) => column.resultType),
        ...statement(check(table, columns)),
      }),
      copy: () => null,
      copyRows: () => null,
      count: (read) => statement(count(read)),
      estimate,
      countValues: (plan, sample) => statement(countValues(groups, plan, sample)),
      estimateValues,
      extent: (plan, sample) => statement(extent(groups, plan, sample)),
      countRanges: (plan, edges, sample) => statement(countRanges(groups, plan, edges, sample)),
      ask: (question, sample) => statement(ask(questions, question, sample)),
      ...edits(server),
      encoder: (shown) => (isRank(shown) ? rankEncoder : encoderOf(shown.type)),
      cell: (bytes) => bytes,
      classifyError,
      exclude: () => undefined,
      catalog: (tables) => catalog(tables, server),
      definition,
      survey,
      rowEstimates,
      sample,
      sizes,
      commitMarkers: commitMarkers(server),
      replication: replication(server),
      feed: feedCheck(server),
      advisor: advisor(server),
    };
  },
};

const updatesOf = () => cachedTemplates((table, key, columns) => prepared(updateOne(table, key, columns, null)));

const edits = (server: Server, updates = updatesOf()): EditDialect => ({
  delete: (plan) => statement(remove(plan)),
  lock: (table, columns, keys, inside) => ({
    types: columns.map(outputType),
    ...statement(lock(table, columns, keys, inside)),
  }),
  insert(table, columns, rows, wanted) {
    const returned = returnsInserted(server) ? wanted : [];
    return { types: returned.map(outputType), ...statement(insert(table, columns, rows, returned)) };
  },
  update: (table, key, columns, rows) => statement(update(table, key, columns, rows)),
  lockedUpdate,
  updateOne: (table, key, columns, inside) =>
    inside === null ? updates(table, key, columns) : prepared(updateOne(table, key, columns, inside)),
  transactionOf: ({ transaction }) => transaction ?? null,
  // MariaDB's DELETE … RETURNING can't limit how many records it returns.
  returning: { insert: returnsInserted(server), delete: false },
  records(table, columns, filter, how) {
    const types = [...columns.map(outputType), ...hidden(columns).map((column) => column.resultType)];
    return { types, ...statement(records(table, columns, filter, how)) };
  },
  countOf: (table, filter) => statement(countOf(table, filter)),
  settle: null,
  outcome: null,
  // `updateRows` is small, because an UPDATE compares each row with each key of its CASE.
  limits: { bindings: 65_535, keys: 1000, rows: 1000, updateRows: 50 },
});

/** Whether the server has `INSERT … RETURNING`, which also returns what triggers changed. */
function returnsInserted({ product, version: [major = 0, minor = 0] }: Server): boolean {
  return product === 'mariadb' && (major > 10 || (major === 10 && minor >= 5));
}
