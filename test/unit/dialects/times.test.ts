import { expect, test } from 'vitest';
import { times } from '../../../src/dialects/mysql/times.ts';
import { timesCheck } from '../../../src/dialects/mysql/times-check.ts';
import type { Relation, Server } from '../../../src/model/catalog.ts';
import type { Answer } from '../../../src/model/rows.ts';
import type { Memory } from '../../../src/model/token.ts';

const server: Server = {
  ...{ product: 'mariadb', version: [10, 11, 19], versionText: '', maxStatementBytes: null, logsStatements: false },
  ...{ foldCollation: null, startId: null },
};
const names = times(server);
const relation = (name: string): Relation => ({ database: 'shop', schema: null, name });
const relations = { served: [relation('a')], shown: [relation('a')], related: [relation('a')] };

interface Shown {
  /** Of its last commit, in seconds. */
  readonly time?: number | null;
  /** The server's clock. */
  readonly at: number;
  readonly engine?: string;
  readonly options?: string;
  readonly name?: string;
  readonly type?: string;
  /** Tables and definitions that were opened until before, and until after it. */
  readonly tables?: readonly [number, number];
  readonly definitions?: readonly [number, number];
  /** The list of `SHOW ENGINE INNODB STATUS`. */
  readonly state?: string;
}

const listed = (...transactions: readonly string[]) =>
  ['', '…', ...transactions.map((one) => `---TRANSACTION 421, ${one}`)].join('\n');
/** A transaction that has been open for five seconds, without and with a change. */
const reader = listed('ACTIVE 5 sec', 'not started');
const writer = listed('not started', 'ACTIVE 5 sec inserting\n1 lock struct(s), undo log entries 7');

function answersOf(shown: Shown): readonly Answer[] {
  const { time = null, at, engine = 'InnoDB', options = '', name = 'a', type = 'BASE TABLE' } = shown;
  const { tables = [5, 5], definitions = [5, 5], state = listed() } = shown;
  const answer = (cells: readonly (readonly (string | null)[])[]): Answer => ({
    ...{ names: [], types: [], found: cells.length },
    cells: cells.map((row) => row.map((cell) => (cell === null ? null : Buffer.from(cell)))),
  });
  const opened = (nth: 0 | 1) =>
    answer([
      ['Com_create_view', '0'],
      ['Com_drop_view', '0'],
      ['Opened_table_definitions', String(definitions[nth])],
      ['Opened_tables', String(tables[nth])],
    ]);
  const list = answer([['shop', name, type, engine, options, time === null ? null : String(time), String(at)]]);
  return [opened(0), answer([[String(at - 0.2)]]), answer([['InnoDB', '', state]]), list, opened(1)];
}

const ask = (shown: Shown, memory: Memory | null = null) =>
  names.question({ before: '', after: '' }, null, answersOf(shown), memory, relations);

/** The tables that are named where the second look is taken `milliseconds` after the first. */
function named(first: Shown, second: Shown, milliseconds = 5000): readonly string[] | null {
  const before = ask(first);
  const memory = before !== null && 'tables' in before ? before.memory : undefined;
  const question = ask(second, memory === undefined ? null : { text: memory, milliseconds });
  return question !== null && 'tables' in question ? (question.tables?.map(({ name }) => name) ?? null) : null;
}

/** Others may have written to a table that is not looked at. */
const none = [''];
const changed = ['a', ''];

test.each<[string, Shown, Shown, readonly string[], number?]>([
  ['an equal time', { time: 90, at: 100 }, { time: 90, at: 105 }, none],
  ['another time', { time: 90, at: 100 }, { time: 103, at: 105 }, changed],
  ['a time of two seconds before the first look', { time: 98, at: 100 }, { time: 98, at: 105 }, none],
  ['a time of less than two seconds before it', { time: 98, at: 99.9 }, { time: 98, at: 105 }, changed],
  ['a time in the future', { time: 107, at: 100 }, { time: 107, at: 105 }, changed],
  ['no time, and nothing opened', { at: 100 }, { at: 105 }, none],
  ['no time, and a table opened between the looks', { at: 100 }, { at: 105, tables: [6, 6] }, changed],
  ['no time, and a table opened during the first', { at: 100, tables: [4, 5] }, { at: 105 }, changed],
  ['no time, and a table opened during the second', { at: 100 }, { at: 105, tables: [5, 6] }, changed],
  ['an equal time, and a table opened', { time: 90, at: 100 }, { time: 90, at: 105, tables: [6, 6] }, none],
  ['a time that is lost', { time: 90, at: 100 }, { at: 105 }, changed],
  ['a first time', { at: 100 }, { time: 102, at: 105 }, changed],
  ['beside a transaction that began then', { time: 95, at: 100, state: reader }, { time: 95, at: 105 }, changed],
  ['beside one that began later', { time: 93, at: 100, state: reader }, { time: 93, at: 105 }, none],
  ['beside one that only reads', { time: 97, at: 100, state: reader }, { time: 97, at: 105 }, none],
  ['beside one that has written', { time: 97, at: 100, state: writer }, { time: 97, at: 105 }, changed],
  ['after it has begun', { time: 97, at: 100 }, { time: 97, at: 105, state: writer }, none],
  ['beside too many to list', { time: 90, at: 100, state: 'a\n... truncated...\n' }, { time: 90, at: 105 }, changed],
  ['beside one that ends', { time: 90, at: 100, state: listed('COMMITTED IN MEMORY') }, { time: 90, at: 105 }, changed],
  ['a clock that was set back', { time: 90, at: 100 }, { time: 90, at: 103 }, changed],
  ['a clock that is slower', { time: 90, at: 100 }, { time: 90, at: 104.8 }, none],
  ['a clock that went back', { time: 90, at: 100 }, { time: 90, at: 99 }, changed, 1],
  ['another engine', { time: 90, at: 100, engine: 'Aria' }, { time: 90, at: 105, engine: 'Aria' }, changed],
  [
    'a table in parts',
    { time: 90, at: 100, options: 'partitioned' },
    { time: 90, at: 105, options: 'partitioned' },
    changed,
  ],
  ['a table that is not shown', { time: 90, at: 100, name: 'x' }, { time: 90, at: 105, name: 'x' }, changed],
  ['a view', { at: 100, type: 'VIEW', engine: '' }, { at: 105, type: 'VIEW', engine: '' }, none],
])('%s', (_, first, second, tables, milliseconds) => {
  expect(named(first, second, milliseconds)).toEqual(tables);
});

test('a look during which a definition was opened says nothing', () => {
  expect(named({ time: 90, at: 100 }, { time: 90, at: 105, definitions: [5, 6] })).toBeNull();
  expect(named({ time: 90, at: 100, definitions: [4, 5] }, { time: 90, at: 105 })).toEqual(changed);
});

test('without an earlier look all tables count as changed', () => {
  expect(ask({ time: 90, at: 105 })).toMatchObject({ tables: [relation('a'), { name: '' }] });
});

test('a look without the open transactions says nothing', () => {
  const answers = answersOf({ at: 100 }).filter(({ cells }) => cells[0]?.length !== 1);
  expect(names.question({ before: '', after: '' }, null, answers, null, relations)).toBeNull();
});

test('a definition that was opened between two looks is a mark', () => {
  const marks = (definitions: readonly [number, number]) => ask({ at: 100, definitions })?.definitions;
  expect(marks([5, 5])).toEqual(marks([5, 5]));
  expect(marks([6, 6])).not.toEqual(marks([5, 5]));
});

test('answers that are missing say nothing; too many tables are not asked for', () => {
  expect(names.question({ before: '', after: '' }, null, [], null, relations)).toBeNull();
  const shown = Array.from({ length: 201 }, (_, nth) => relation(`t${nth}`));
  expect(names.inspect('', [], { served: [], shown, related: [] }, null)).toEqual([]);
  expect(timesCheck(server)(shown).facts([null, null, null, null]).obstacles).toMatchObject([
    { remedy: expect.stringContaining('GRANT PROCESS ON *.* TO ') },
    { why: 'the resources show 201 tables, more than 200: each would be looked at' },
  ]);
});

test.each([
  [399, true],
  [400, false],
])('with %i of 400 definitions open the times can be used: %s', (open, isUsable) => {
  const answer = (...cells: readonly (readonly string[])[]): Answer => ({
    ...{ names: [], types: [], found: cells.length, cells },
  });
  const { obstacles, remarks } = timesCheck(server)([relation('a'), relation('b')]).facts([
    answer(['Open_table_definitions', String(open)], ['Open_tables', '10']),
    answer(['table_definition_cache', '400'], ['table_open_cache', '10']),
    answer(['InnoDB', '', listed()]),
    answer(['gateway@%']),
    answer(['shop', 'a', 'BASE TABLE', 'MyISAM', '', '', '1.5']),
  ]);
  expect(obstacles.map(({ remedy }) => remedy)).toEqual(isUsable ? [] : ['SET GLOBAL table_definition_cache = 1600']);
  expect(remarks.map(({ why }) => why)).toEqual([
    expect.stringContaining('table_open_cache is 10, and full'),
    '`shop`.`a` is a table of MyISAM, which keeps no such time: each commit of others counts as a change of it',
    '`shop`.`b` is not visible: each commit of others counts as a change of it',
  ]);
});

test('MySQL 8 is asked for fresh times, and for each table by its name, whatever that is', () => {
  const odd = { database: 'a`b', schema: null, name: `x'y"z\`` };
  const one = { served: [odd], shown: [odd], related: [odd] };
  const statements = times({ ...server, product: 'mysql', version: [8, 0, 11] }).inspect('', [], one, null);
  expect(statements.map(({ text }) => text)).toContain(
    '(SELECT /*+ MAX_EXECUTION_TIME(100) */ NULL FROM `a``b`.`x\'y"z``` LIMIT 0)',
  );
  expect(statements.flatMap(({ values }) => values)).toEqual([odd.database, odd.name]);
  expect(statements[0]?.text).toBe('SET SESSION information_schema_stats_expiry = 0');
});
