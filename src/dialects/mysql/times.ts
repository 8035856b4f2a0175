/**
 * The tables that others have written, by the times of their last commits in information_schema. Two looks at them are compared: for
 * servers whose binary log is off, or may not be read.
 */
import type { Relation, Server } from '../../model/catalog.ts';
import type { Answer, Statement } from '../../model/rows.ts';
import type { AnsweredRelations, Memory, TokenLog } from '../../model/token.ts';
import { text } from '../cells.ts';
import { definitionCounters } from './definition-counters.ts';
import { engineState, openTransactions } from './open-transactions.ts';
import { quote } from './rights.ts';
import { untilVisible } from './until-visible.ts';

/** Each costs the server 0.01 to 0.04 ms in each look. */
export const mostTables = 200;

/** How often tables and definitions were opened. On MariaDB a view is a file, which is read each time. */
const opened = `SHOW GLOBAL STATUS WHERE Variable_name IN ('Opened_tables', 'Opened_table_definitions', ${definitionCounters})`;
const clock = 'SELECT UNIX_TIMESTAMP(NOW(6))';

/**
 * Why two equal times mean that nothing was committed, although InnoDB keeps them in memory, in whole seconds:
 * - A time stays in memory as long as the table is open in the server's cache of tables. Each look opens all of them. If the server opens
 *   no table between two looks, each was open all the time, and every commit has set its time. Only then no time at all twice counts.
 * - Else a time may have been lost, and that shows. An equal one may be that of another table under the name: as long as no definition
 *   was opened, none was renamed, emptied or made anew.
 * - A second commit within a second leaves the time as it is. A time of the last two seconds may therefore count as a change again.
 * - On MariaDB it is the second in which the transaction began, on MySQL that in which its commit began, which may last. So it may count
 *   as a change again also while a transaction is open that may yet bring the same time.
 * - A clock that was set back may give the same second twice: then all tables count as changed.
 *
 * MySQL sets the time before a commit is visible, MariaDB a moment after it: hence `late`, and what `Freshness` does until then.
 */
export const times = (server: Server): TokenLog => ({
  namesCascades: true,
  late: untilVisible,
  inspect: (_, __, relations) => look(server, relations),
  question(_, ids, answers, memory, { shown }) {
    const now = seen(answers, server);
    if (now === null || !now.isSteady) return null;
    const before = memory === null ? null : comparable(memory, now);
    const changed = shown.filter((relation) => isChanged(nameOf(relation), before, now));
    const { definitions, ...kept } = now;
    return {
      ids: ids ?? [],
      tables: [...changed, elsewhere],
      definitions: [definitions],
      memory: JSON.stringify(kept),
    };
  },
  mayBeEarlier: () => false,
});

/** Others may always have written to tables that are not looked at. */
const elsewhere: Relation = { database: '', schema: null, name: '' };

/** The statements of a look; none where there are too many tables. The counters come first and last, the open transactions before the times. */
function look(server: Server, { served, shown }: Pick<AnsweredRelations, 'served' | 'shown'>): readonly Statement[] {
  if (!isLookedAt(shown)) return [];
  const [before, after] = hasDictionary(server)
    ? [[`SET SESSION information_schema_stats_expiry = 0`], [touch(served)]]
    : [[], []];
  const plain = (statements: readonly string[]) => statements.map((text) => ({ text, values: [] }));
  return [...plain([...before, opened, clock, engineState]), timesOf(server, shown), ...plain([...after, opened])];
}

export const isLookedAt = (shown: readonly Relation[]): boolean => shown.length > 0 && shown.length <= mostTables;

/** Since MySQL 8, information_schema is made of tables, and opens none of those it describes. */
const hasDictionary = ({ product, version: [major = 0] }: Server): boolean => product === 'mysql' && major >= 8;

/** Opens tables and views. It waits for a lock of the whole table, but not for long. */
const touch = (served: readonly Relation[]): string =>
  served
    .map(({ database, name }, nth) => {
      const hint = nth === 0 ? '/*+ MAX_EXECUTION_TIME(100) */ ' : '';
      return `(SELECT ${hint}NULL FROM ${quote(database)}.${quote(name)} LIMIT 0)`;
    })
    .join(' UNION ALL ');

/** Each table is found by its name: a schema may have thousands, and MariaDB would list the files of all. */
export function timesOf(server: Server, relations: readonly Relation[]): Statement {
  const columns =
    't.TABLE_SCHEMA, t.TABLE_NAME, t.TABLE_TYPE, t.ENGINE, t.CREATE_OPTIONS, UNIX_TIMESTAMP(t.UPDATE_TIME)';
  const select = `SELECT ${columns}, UNIX_TIMESTAMP(NOW(6)) FROM`;
  const values = relations.flatMap(({ database, name }) => [database, name]);
  if (!hasDictionary(server)) {
    const one = `${select} information_schema.TABLES t WHERE t.TABLE_SCHEMA = ? AND t.TABLE_NAME = ?`;
    return { text: relations.map(() => one).join(' UNION ALL '), values };
  }
  const names = relations.map(() => 'SELECT ? AS s, ? AS n').join(' UNION ALL ');
  const join = 'STRAIGHT_JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = w.s AND t.TABLE_NAME = w.n';
  return { text: `${select} (${names}) w ${join}`, values };
}

export interface Row {
  readonly isView: boolean;
  /** Only InnoDB keeps the time of the last commit, and only for a table in one part. */
  readonly isInnodb: boolean;
  readonly isPartitioned: boolean;
  readonly engine: string;
  /** Of its last commit, in seconds; null: none is known. */
  readonly time: number | null;
}

/** What the next look is compared with. */
interface Kept {
  readonly rows: Readonly<Record<string, Row>>;
  /** How often a table was opened before the look, and until its end. */
  readonly opened: readonly [string, string];
  /** The server's clock, in seconds, when the look began. */
  readonly at: number;
  /** From when until when, in seconds, the times are that open transactions may yet bring. */
  readonly open: readonly Range[];
}

type Range = readonly [from: number, to: number];

interface Seen extends Kept {
  /** Whether no definition was opened during the look. */
  readonly isSteady: boolean;
  readonly definitions: string;
}

/** Null: the answers are not those of a look. */
function seen(answers: readonly Answer[], server: Server): Seen | null {
  const [first, last] = [answers.find(isOpened), answers.findLast(isOpened)];
  const list = answers.find(({ cells }) => cells[0]?.length === 7);
  const start = answers.find(({ cells }) => cells[0]?.length === 1);
  if (first === undefined || last === undefined || list === undefined || start === undefined) return null;
  const [before, after] = [first, last].map(
    ({ cells }) => new Map(cells.map(([name, value]) => [text(name), text(value)])),
  );
  const definitions = (of: typeof before) =>
    JSON.stringify([...(of ?? [])].filter(([name]) => name !== 'Opened_tables'));
  const at = Number(text(list.cells[0]?.[6]));
  return {
    rows: rowsOf(list.cells),
    isSteady: definitions(before) === definitions(after),
    definitions: definitions(after),
    opened: [before?.get('Opened_tables') ?? '', after?.get('Opened_tables') ?? ''],
    at,
    open: rangesOf(openTransactions(answers.find(isEngineState), server), Number(text(start.cells[0]?.[0])), at),
  };
}

/**
 * @param from the clock before they were listed, in seconds
 * @param to the clock after it
 */
function rangesOf(open: ReturnType<typeof openTransactions>, from: number, to: number): readonly Range[] {
  const ranges = open?.map(({ seconds, hasWritten }): Range => {
    // Both clocks and the age are cut to whole seconds somewhere.
    const [earliest, latest] = [from - seconds - 1, to - seconds + 1];
    return [earliest, hasWritten ? to + 1 : latest];
  });
  return ranges ?? [[0, to + 1]];
}

/** The tables of an answer to `timesOf`, by `nameOf`. */
export function rowsOf(cells: Answer['cells']): Readonly<Record<string, Row>> {
  const rows = cells.map((row): readonly [string, Row] => {
    const [database = '', name = '', type = '', engine = '', options = '', time = ''] = row.map(text);
    return [
      nameOf({ database, name }),
      {
        isView: type === 'VIEW',
        isInnodb: /^innodb$/i.test(engine),
        isPartitioned: /partitioned/i.test(options),
        engine,
        time: time === '' ? null : Number(time),
      },
    ];
  });
  return Object.fromEntries(rows);
}

const isTimed = ({ isInnodb, isPartitioned }: Row): boolean => isInnodb && !isPartitioned;

const isOpened = ({ cells }: Answer): boolean => cells[0]?.length === 2;
const isEngineState = ({ cells }: Answer): boolean => cells[0]?.length === 3;
export const nameOf = ({ database, name }: Pick<Relation, 'database' | 'name'>): string =>
  JSON.stringify([database, name]);

interface Before extends Kept {
  /** Whether the server has opened no table since. */
  readonly isHeld: boolean;
}

/** An earlier look; null: its times say nothing about those of now. */
function comparable({ text, milliseconds }: Memory, now: Seen): Before | null {
  const before: Kept = JSON.parse(text);
  // A clock that is only corrected goes on.
  const isSetBack = !(now.at - before.at >= milliseconds / 1000 - 0.5);
  return isSetBack ? null : { ...before, isHeld: before.opened[0] === now.opened[1] };
}

/** In seconds. */
const hot = 2;

function isChanged(name: string, before: Before | null, now: Seen): boolean {
  const [old, row] = [before?.rows[name], now.rows[name]];
  if (row?.isView) return false;
  if (
    before === null ||
    row === undefined ||
    old === undefined ||
    !isTimed(row) ||
    !isTimed(old) ||
    row.time !== old.time
  )
    return true;
  const { time } = old;
  if (time === null) return !before.isHeld;
  return before.at - time < hot || before.open.some(([from, to]) => from <= time && time <= to);
}
