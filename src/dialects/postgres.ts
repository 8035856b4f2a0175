import type { Family } from '../model/dialect.ts';
import { isRank, type Read } from '../model/plan.ts';
import { encoders, rankEncoder } from '../values/encode.ts';
import { placed } from './after.ts';
import { text } from './cells.ts';
import { blame } from './postgres/blame.ts';
import { catalog, catalogQueries } from './postgres/catalog.ts';
import { from, id, statement, typeOnly } from './postgres/column.ts';
import { copy } from './postgres/copy.ts';
import { distinct } from './postgres/distinct.ts';
import { after, order } from './postgres/order.ts';
import { outage } from './postgres/outage.ts';
import { rank } from './postgres/search.ts';
import { conditions } from './postgres/select.ts';
import { sized, sizes } from './postgres/size.ts';
import { change, insert, lock, records, remove, update } from './postgres/write.ts';
import { type Bind, ofTable, once, page, typeIn, unshown, where } from './sql.ts';

/**
 * A server that has crashed may give a number to a second transaction, and so may one that was a standby. The statistics begin
 * anew after a crash, which the time of the start does not tell.
 */
const life = `(SELECT extract(epoch FROM pg_postmaster_start_time())::text || ' ' || coalesce(extract(epoch FROM stats_reset)::text, '') FROM pg_stat_bgwriter)`;

/** PostgreSQL 12 and newer, and PGlite. */
export const postgres: Family = {
  serverQuery: `SELECT current_setting('server_version_num'), version(),
    CASE WHEN (SELECT datctype FROM pg_database WHERE datname = current_database()) IN ('C', 'POSIX')
      THEN (SELECT quote_ident(collname) FROM pg_collation WHERE collname IN ('C.UTF-8', 'C.utf8', 'und-x-icu', 'en-x-icu', 'pg_c_utf8')
            ORDER BY collname = 'und-x-icu', collname LIMIT 1) END,
    ${life}`,
  server(answer) {
    const [number, text, fold, life] = answer.cells[0] ?? [];
    const version = Number(number);
    return {
      product: 'postgres',
      version: [Math.floor(version / 10_000), version % 10_000],
      versionText: String(text).split(' on ')[0] ?? '',
      maxStatementBytes: null,
      logsStatements: false,
      foldCollation: typeof fold === 'string' ? fold : null,
      life: String(life),
    };
  },

  outage,

  dialect(server) {
    const encoderOf = encoders();
    const found = (read: Read, bind: Bind) => conditions(read.where, read.searches, read.table, server, bind);
    const source = (read: Read, matching: readonly string[]) => {
      const rows = ` FROM ${from(read.table)}${where(matching)}`;
      return read.distinct ? ` FROM (${distinct(once(ofTable(read)), rows)}) AS d` : rows;
    };
    const rows = (read: Read, bind: Bind) => source(read, found(read, bind));
    const rowsAfter = (read: Read, bind: Bind) => source(read, [...found(read, bind), ...after(read, bind)]);
    const selected = (read: Read, outputs: readonly string[], bind: Bind): string =>
      `SELECT ${outputs.join(', ') || 'NULL'}${rowsAfter(read, bind)}${order(read, server, bind)}${page(read)}`;
    return {
      // Every setting that changes the text we read; ALTER ROLE and ALTER DATABASE would otherwise win. What an operator
      // sets to restrain a role (read-only, lock_timeout) and what his triggers rely on (search_path) stays his.
      // A condition of thousands of values would be compiled for many minutes, in which no timeout and no cancel ends it.
      sessionSetup: (statementTimeout) => [
        `SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex'; SET extra_float_digits = 1;
       SET TimeZone = 'UTC'; SET standard_conforming_strings = on; SET client_encoding = 'UTF8'; SET lc_monetary = 'C';
       SET transform_null_equals = off; SET array_nulls = on; SET gin_fuzzy_search_limit = 0; SET row_security = on; SET jit = off;
       SET default_transaction_isolation = 'read committed'; SET statement_timeout = ${statementTimeout};`,
      ],
      search(read) {
        const others = unshown(read);
        const found = statement((bind) => {
          const outputs = read.columns.map((one) =>
            isRank(one) ? rank(one.search, read.table, server, bind) : id(one),
          );
          const types = others.map((column) => typeIn(read, typeOnly(column), from(read.table)));
          return selected(read, [...outputs, ...placed(read).map(id), ...types], bind);
        });
        const all = [...read.columns, ...placed(read), ...others];
        return { ...found, types: all.map((one) => (isRank(one) ? '' : one.resultType)) };
      },
      unlocked(read) {
        return this.search(read);
      },
      check: (table, columns) => ({
        text: `SELECT ${columns.map(typeOnly).join(', ') || 'NULL'} FROM ${from(table)} LIMIT 0`,
        values: [],
        types: columns.map((column) => column.resultType),
      }),
      copy: (read, delimiter) => copy(read, delimiter, (outputs, bind) => selected(read, outputs, bind)),
      copyRows(read) {
        const { text, values } = this.search(read);
        return values.length > 0 ? null : `COPY (${text}) TO STDOUT`;
      },
      count: (read) => statement((bind) => `SELECT count(*)${rows(read, bind)}`),
      estimate: (read) => statement((bind) => `EXPLAIN (FORMAT JSON) SELECT 1${rows(read, bind)}`),
      estimated(answer) {
        const rows = /"Plan Rows": (\d+)/.exec(String(answer.cells[0]?.[0]));
        return Number(rows?.[1] ?? 0);
      },
      delete: (plan) => remove(plan, server),

      sizes,
      sized,

      lock,
      insert,
      update,
      change: (table, filter, columns, values) => change(table, filter, columns, values, server),
      returning: { insert: true, delete: true },
      records: (table, columns, filter, how) => records(table, columns, filter, how, server),
      outcome: {
        // It takes its number at once: it is about to write, and asked for with BEGIN it costs no time.
        id: 'SELECT txid_current()',
        ask: (id) => ({
          text: `SELECT CASE WHEN ${life} = $2 THEN txid_status($1::bigint) END,
            CASE WHEN ${life} = $2 THEN (SELECT bool_and(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE backend_xid::text = ($1::bigint & 4294967295)::text) END`,
          values: [id, server.life],
        }),
      },
      settle: { text: 'SET CONSTRAINTS ALL IMMEDIATE', values: [] },
      limits: { bindings: 65_535, insertRows: 1000, updateRows: 1000 },
      encoder: (shown) => (isRank(shown) ? rankEncoder : encoderOf(shown.type)),
      // Binary values are text, too.
      cell: text,
      blame,
      catalogQueries,
      catalog: (answers) => catalog(answers, server),
    };
  },
};
