/** Whether the times of the last commits name what others write to the tables of the resources. */
import type { Relation, Server } from '../../model/catalog.ts';
import type { FeedCheck, FeedFact } from '../../model/feed.ts';
import type { Answer } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { engineState } from './open-transactions.ts';
import { grantee, quote } from './rights.ts';
import { isLookedAt, mostTables, nameOf, type Row, rowsOf, timesOf } from './times.ts';

const opened = `SHOW GLOBAL STATUS WHERE Variable_name IN ('Open_tables', 'Open_table_definitions')`;
const sizes = `SHOW GLOBAL VARIABLES WHERE Variable_name IN ('table_open_cache', 'table_definition_cache')`;

/** @param shown the tables and views below those of the resources */
export const timesCheck =
  (server: Server) =>
  (shown: readonly Relation[]): FeedCheck => ({
    queries: [
      { text: opened, values: [] },
      { text: sizes, values: [] },
      { text: engineState, values: [] },
      { text: 'SELECT CURRENT_USER()', values: [] },
      ...(isLookedAt(shown) ? [timesOf(server, shown)] : []),
    ],
    facts: ([open, most, state, me, found]) => ({
      obstacles: [
        ...fact(!state, ...unlisted(grantee(text(me?.cells[0]?.[0])))),
        ...fact(
          shown.length > mostTables,
          `the resources show ${shown.length} tables, more than ${mostTables}: each would be looked at`,
        ),
        ...full(
          open,
          most,
          'table_definition_cache',
          'a definition that is read anew counts as a change of all tables',
        ),
      ],
      remarks: [
        ...full(
          open,
          most,
          'table_open_cache',
          'a table that is opened anew counts as a change of those without a time',
        ),
        ...(isLookedAt(shown) ? tableFacts(shown, found) : []),
      ],
    }),
  });

const fact = (isIn: boolean, why: string, remedy: string | null = null): readonly FeedFact[] =>
  isIn ? [{ why, remedy }] : [];

const unlisted = (user: string): [why: string, remedy: string] => [
  `${user} may not see which transactions are open, and a time may be that of an open one`,
  `GRANT PROCESS ON *.* TO ${user}`,
];

type Asked = Answer | null | undefined;

/** Whether a cache of the server is full: then it opens again what it has closed, all the time. */
function full(open: Asked, most: Asked, name: keyof typeof caches, why: string): readonly FeedFact[] {
  const value = (of: Asked, key: string) =>
    Number(text((of?.cells ?? []).find(([one]) => text(one).toLowerCase() === key)?.[1]));
  const [used, size] = [value(open, caches[name]), value(most, name)];
  return fact(size > 0 && used >= size, `${name} is ${size}, and full: ${why}`, `SET GLOBAL ${name} = ${4 * size}`);
}
const caches = { table_open_cache: 'open_tables', table_definition_cache: 'open_table_definitions' } as const;

function tableFacts(shown: readonly Relation[], found: Asked): readonly FeedFact[] {
  const rows = rowsOf(found?.cells ?? []);
  return shown.flatMap((relation) => tableFact(relation, rows[nameOf(relation)]));
}

function tableFact({ database, name }: Relation, row: Row | undefined): readonly FeedFact[] {
  const table = `${quote(database)}.${quote(name)}`;
  const counts = 'each commit of others counts as a change of it';
  if (row === undefined) return fact(true, `${table} is not visible: ${counts}`);
  if (row.isView) return [];
  return [
    ...fact(!row.isInnodb, `${table} is a table of ${row.engine}, which keeps no such time: ${counts}`),
    ...fact(row.isPartitioned, `${table} is partitioned: ${counts}`),
  ];
}
