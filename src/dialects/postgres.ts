import type { Server } from '../model/catalog.ts';
import type { EditDialect } from '../model/dialect/edit.ts';
import type { HitsOf } from '../model/dialect/read.ts';
import type { Family } from '../model/dialect.ts';
import { isRank, type Read } from '../model/plan.ts';
import { plain, type Statement } from '../model/rows.ts';
import type { Column, Type } from '../model/table.ts';
import { encoders, rankEncoder } from '../values/encode.ts';
import { cursorColumns } from './after.ts';
import { countRanges, countValues, extent } from './aggregate.ts';
import type { Knex } from './knex.ts';
import { advisor } from './postgres/advice.ts';
import { estimateValues } from './postgres/aggregate.ts';
import { catalog } from './postgres/catalog.ts';
import { classifyError } from './postgres/classify-error.ts';
import { filled, inlined, prepared, statement } from './postgres/column.ts';
import { commitMarkers, startId } from './postgres/commit-markers.ts';
import { copy } from './postgres/copy.ts';
import { definition } from './postgres/definition.ts';
import { exclude } from './postgres/encoding.ts';
import { feed } from './postgres/feed.ts';
import { outage } from './postgres/outage.ts';
import { asking } from './postgres/question.ts';
import { check, count, estimate, hits, search, selected } from './postgres/read.ts';
import { replication } from './postgres/replication.ts';
import { sessionSetup } from './postgres/session-setup.ts';
import { sizes } from './postgres/size.ts';
import { transactionIdOf } from './postgres/snapshots.ts';
import { rowEstimates, sample, survey } from './postgres/survey.ts';
import {
  countOf,
  insert,
  lock,
  lockedUpdate,
  records,
  remove,
  transactionId,
  update,
  updateOne,
} from './postgres/write.ts';
import { ask } from './question.ts';
import { comparedOnly } from './sql.ts';
import { cachedReads, cachedTemplates } from './templates.ts';

/** Whether the server rounds parameters of this type (`real`). A prepared statement keeps rounding after the column has become a double. */
const isRounded = (type: Type): boolean =>
  type.kind === 'array' ? isRounded(type.of) : type.kind === 'float' && type.bits === 32;

/** Makes the statement of a query. Its first outputs are these columns. */
const typed = (query: Knex.QueryBuilder, columns: readonly Column[]): Statement => ({
  types: columns.map((column) => column.resultType),
  ...statement(query),
});

const searchTypes = (read: Read): readonly string[] =>
  [...read.columns, ...cursorColumns(read), ...comparedOnly(read)].map((one) => (isRank(one) ? '' : one.resultType));

/** Adds LIMIT and OFFSET. A read of all records gets neither, because a server that counts the rows is 10 % slower. */
function paged(text: string, { limit, offset }: Read): string {
  if (limit === Number.MAX_SAFE_INTEGER && offset === 0) return text;
  return `${text} limit ${limit}${offset === 0 ? '' : ` offset ${offset}`}`;
}

/** PostgreSQL 12 and newer, and PGlite. */
export const postgres: Family = {
  serverQuery: `SELECT current_setting('server_version_num'), version(),
    CASE WHEN (SELECT datctype FROM pg_database WHERE datname = current_database()) IN ('C', 'POSIX')
      THEN (SELECT quote_ident(collname) FROM pg_collation
            WHERE collname IN ('C.UTF-8', 'C.utf8', 'und-x-icu', 'en-x-icu', 'pg_c_utf8') AND pg_collation_is_visible(oid)
            ORDER BY collname = 'und-x-icu', collname LIMIT 1) END,
    ${startId}, getdatabaseencoding()`,
  server(answer) {
    const [number, text, fold, startId, encoding] = answer.cells[0] ?? [];
    const version = Number(number);
    return {
      product: 'postgres',
      version: [Math.floor(version / 10_000), version % 10_000],
      versionText: String(text).split(' on ')[0] ?? '',
      maxStatementBytes: null,
      logsStatements: false,
      foldCollation: typeof fold === 'string' ? fold : null,
      startId: String(startId),
      encoding: { name: String(encoding), lacks: new Set() },
    };
  },

  outage,

  dialect(server) {
    const encoderOf = encoders();
    const questions = asking(server);
    const { counting: groups } = questions;
    const remember = () => ({
      searched: cachedReads((read) => ({ types: searchTypes(read), ...statement(search(read, server)) }), false),
      hitsOf: cachedReads((read, which: HitsOf) => {
        const query = hits(read, which, server);
        return query === null ? null : { types: searchTypes(read), ...statement(query) };
      }, true),
    });
    let reads = remember();
    return {
      sessionSetup,
      readOnlySetup: 'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY',
      replicaSetup: 'SET lock_timeout = 100',
      probe: plain('SELECT 1'),
      search(read) {
        const statement = reads.searched(read, 'search');
        return { ...statement, text: paged(statement.text, read) };
      },
      hits: (read, which) => reads.hitsOf(read, which),
      unlocked(read) {
        return this.search(read);
      },
      check: (table, columns) => typed(check(table, columns), columns),
      copy: (read, delimiter) =>
        copy(read, delimiter, (outputs) => paged(inlined(selected(read, outputs, server)), read)),
      copyRows: (read) => `COPY (${paged(inlined(search(read, server)), read)}) TO STDOUT`,
      count: (read) => statement(count(read, server)),
      estimate: (read) => estimate(read, server),
      countValues: (plan, sample) => statement(countValues(groups, plan, sample)),
      estimateValues,
      extent: (plan, sample) => statement(extent(groups, plan, sample)),
      countRanges: (plan, edges, sample) => statement(countRanges(groups, plan, edges, sample)),
      ask: (question, sample) => statement(ask(questions, question, sample)),
      ...edits(server),
      encoder: (shown) => (isRank(shown) ? rankEncoder : encoderOf(shown.type)),
      // Binary values also arrive as text (`\x…`).
      cell: ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength).toString('utf8'),
      classifyError: (error) => classifyError(error, server.encoding?.name),
      exclude(character) {
        reads = remember();
        exclude(character, server);
      },
      catalog: (tables) => catalog(tables, server),
      definition,
      survey,
      rowEstimates,
      sample,
      sizes,
      commitMarkers: commitMarkers(server),
      replication,
      feed: feed(server),
      advisor: advisor(server),
    };
  },
};

/** One template per table and set of columns. Row filters get none, because each would need a prepared statement of its own. */
const updatesOf = (server: Server) =>
  cachedTemplates((table, key, columns) => {
    const query = updateOne(table, key, columns, null, server);
    // A prepared statement's generic plan locks every partition, and takes some 10 kB for each in every session.
    const isPartitioned = table.uniqueKeys.some(({ inPartitions }) => inPartitions !== undefined);
    return isPartitioned || columns.some(({ type }) => isRounded(type)) ? filled(query) : prepared(query);
  });

const edits = (server: Server, updates = updatesOf(server)): EditDialect => ({
  delete: (plan, inOrder) => typed(remove(plan, inOrder, server), plan.returned?.columns ?? []),
  lock: (table, columns, keys, inside) => typed(lock(table, columns, keys, inside, server), columns),
  insert: (table, columns, rows, returned) => typed(insert(table, columns, rows, returned), returned),
  update: (table, key, columns, rows) => statement(update(table, key, columns, rows)),
  lockedUpdate,
  updateOne: (table, key, columns, inside) =>
    inside === null ? updates(table, key, columns) : filled(updateOne(table, key, columns, inside, server)),
  transactionOf: ({ cells }) =>
    cells[0]?.[0] === undefined ? null : transactionIdOf(server.startId, String(cells[0][0])),
  returning: { insert: true, delete: true },
  records: (table, columns, filter, how) => typed(records(table, columns, filter, how, server), columns),
  countOf: (table, filter) => statement(countOf(table, filter, server)),
  outcome: {
    // This is free: the first write would assign the id anyway, and we send the query together with BEGIN.
    id: `SELECT ${transactionId}`,
    ask: (id) => ({
      text: `SELECT CASE WHEN ${startId} = $2 THEN txid_status($1::bigint) END,
        CASE WHEN ${startId} = $2 THEN (SELECT bool_and(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE backend_xid::text = ($1::bigint & 4294967295)::text) END`,
      values: [id, server.startId],
    }),
  },
  settle: plain('SET CONSTRAINTS ALL IMMEDIATE'),
  limits: { bindings: 65_535, keys: 5000, rows: 1000, updateRows: 1000 },
});
