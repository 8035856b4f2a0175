/** All statements that a dialect generates, over the tricky table. */
import type { HitsOf } from '../../src/model/dialect/read.ts';
import type { Dialect } from '../../src/model/dialect.ts';
import type { Delete, Rank, Read, Search, Where } from '../../src/model/plan.ts';
import type { Statement } from '../../src/model/rows.ts';
import type { Column, Table } from '../../src/model/table.ts';
import type { BoundValue } from '../../src/model/value.ts';

/** For each column two values in the form in which they are bound to statements. */
const values: Readonly<Record<string, readonly [BoundValue, BoundValue]>> = {
  id: ['1', '2'],
  'a.b': ["O'Brien \\ ?", 'a"{,}'],
  'x?y': ['-7', '2147483647'],
  'say "hi"': ['Müller', ''],
  'back`tick': ['ab', 'cd'],
  '50% as $1': ['12.50', '-0.01'],
  latin: ['Ärger', '漢字'],
  cit: ['Word', 'word '],
  fold: ['Word', 'ẞ'],
  f4: ['0.1', '3.4028235e+38'],
  f8: ['0.1', '5e-324'],
  flag: ['true', 'false'],
  bit1: ['1', '0'],
  bit5: ['10101', '00000'],
  js: ['{"a": [1, null]}', '"x"'],
  blob: [Uint8Array.of(0, 255), Uint8Array.of()],
  day: ['2024-02-29', '1999-12-31'],
  seen: ['2024-02-29 23:59:59.999', '1999-12-31 00:00:00'],
  span: ['23:59:59', '00:00:00'],
};
const sampleValue = (column: Column, nth: 0 | 1): BoundValue => values[column.name]?.[nth] ?? '';

/** A search for records that contain all of the words. */
function asks(by: Search['by'], ...words: readonly string[]): Search {
  const terms = words.map((text) => ({ op: 'word', text, prefix: false }) as const);
  return { column: null, query: { op: 'and', of: terms }, by, language: 'english' };
}

/** A value in its stored form, as in a cursor. MySQL stores flags and bits as numbers. */
function storedOf(column: Column, { schema }: Table): BoundValue {
  const isNumber = ['bool', 'bits'].includes(column.type.kind) && schema === null;
  return isNumber ? '1' : sampleValue(column, 0);
}

/** The search `(O'Brien | two:* & !"not \'') & a <-> b`. */
function tsquery(by: Search['by']): Search {
  const word = (text: string, prefix = false) => ({ op: 'word', text, prefix }) as const;
  const absent = { op: 'not', of: word("not \\'") } as const;
  const either = { op: 'or', of: [word("O'Brien"), { op: 'and', of: [word('two', true), absent] }] } as const;
  const row = { op: 'phrase', of: [word('a'), word('b')] } as const;
  return { column: null, query: { op: 'and', of: [either, row] }, by, language: 'english' };
}

/** Reads a page of a table, ordered by a column. */
const readOf = (table: Table, id: Column): Read => ({
  effect: 'read',
  table,
  columns: table.columns,
  format: 'objects',
  where: { op: 'all', of: [] },
  searches: [],
  sort: [{ by: id, direction: 'asc', nulls: 'last' }],
  limit: 100,
  offset: 0,
  total: true,
  after: null,
  withCursor: false,
  distinct: false,
});

/** Statements that find the first hits of a search: with LIKE on all engines, with an index where it can find them. */
export function hitsPlans(table: Table): ReturnType<typeof plans> {
  const [id] = table.columns;
  if (id === undefined) throw new Error('no column');
  const hits = (part: Partial<Read>, which: HitsOf) => (dialect: Dialect) => {
    const statement = dialect.hits({ ...readOf(table, id), ...part }, which);
    if (statement === null) throw new Error(`${which}: no statement`);
    return statement;
  };
  const expression = `(to_tsvector('english'::regconfig, "fold"))`;
  const index = { expression, mayBeNull: true, answers: () => true, ignores: () => false } as const;
  const ofTable = (by: Search['by']): Table => ({
    ...table,
    about: { ...table.about, indexes: [{ name: 'key', columns: [id.name], unique: true, ordered: true }] },
    search: {
      ...table.search,
      columns: table.columns.filter(({ name }) => name === 'fold' || (name === 'cit' && by === 'like')),
      index: by === 'like' ? null : index,
    },
  });
  const searchBy = (mode: Search['by']): Pick<Read, 'table' | 'columns' | 'searches'> & { readonly rank: Rank } => {
    const rank: Rank = { label: 'rank', search: asks(mode, 'word') };
    return { table: ofTable(mode), columns: [id, rank], searches: [rank.search], rank };
  };
  const ranked = (mode: Search['by']): Partial<Read> => {
    const { rank, ...read } = searchBy(mode);
    const ties = { by: id, direction: 'asc', nulls: 'last' } as const;
    return { ...read, sort: [{ by: rank, direction: 'desc', nulls: 'first' }, ties] };
  };
  const { rank: _, ...native } = searchBy('native');
  const sorted = { ...native, offset: 20, limit: 10 };
  const indexed: ReturnType<typeof plans> = [
    ['hits: first, in order', hits({ ...searchBy('like'), offset: 20, limit: 10 }, 'first')],
    ['hits: any by an index, in order', hits(sorted, 'any')],
    ['hits: first by an index, in order', hits(sorted, 'first')],
    ['hits: all by an index, in order', hits(sorted, 'all')],
    ['hits: first by an index, by rank', hits(ranked('native'), 'first')],
    ['hits: all by an index, by rank', hits(ranked('native'), 'all')],
  ];
  return [
    ['hits: any, by rank', hits(ranked('like'), 'any')],
    ['hits: first, by rank', hits(ranked('like'), 'first')],
    ...(table.schema === null ? [] : indexed),
  ];
}

/** Pairs of a name and a function that makes the statement in a given dialect. */
export function plans(table: Table): readonly (readonly [string, (dialect: Dialect) => Statement])[] {
  const columnsNamed = (...names: readonly string[]) => table.columns.filter((column) => names.includes(column.name));
  const comparable = table.columns.filter((column) => column.type.kind !== 'json');
  const [id, ...others] = table.columns;
  if (id === undefined) throw new Error('no column');
  const read = readOf(table, id);
  const all = (...parts: readonly Where[]): Where => ({ op: 'all', of: parts });
  const removal: Delete = { effect: 'delete', table, where: all(), returned: null, dryRun: false };
  const is =
    (nth: 0 | 1) =>
    (column: Column): Where => ({ op: 'in', column, values: [sampleValue(column, nth)] });
  const among = (column: Column): Where => ({
    op: 'in',
    column,
    values: [sampleValue(column, 0), sampleValue(column, 1)],
  });
  const ordered = comparable.filter(({ type }) => type.kind !== 'bool' && type.kind !== 'binary');
  const like =
    (folds: boolean) =>
    (column: Column): Where => ({ op: 'like', column, pattern: "O'Br|_%", folds });
  const search = (part: Partial<Read>) => (dialect: Dialect) => dialect.search({ ...read, columns: [id], ...part });
  const row = (columns: readonly Column[], nth: 0 | 1) => columns.map((column) => sampleValue(column, nth));
  const composite = columnsNamed('a.b', 'x?y');
  const index = { expression: '', answers: () => true, ignores: () => false };
  const native = { ...table, search: { ...table.search, columns: columnsNamed('a.b', 'say "hi"'), index: null } };
  const words = ["O'Brien", '50%_|', 'two words'];
  return [
    ['search: no filter', search({ columns: table.columns })],
    ['search: equality', search({ where: all(...comparable.map(is(0))) })],
    ['search: IN', search({ where: all(...comparable.map(among)) })],
    ['search: IN, empty', search({ where: { op: 'in', column: id, values: [] } })],
    [
      'search: null',
      search({ where: all(...columnsNamed('a.b', 'day', 'seen').map((column): Where => ({ op: 'null', column }))) }),
    ],
    [
      'search: ranges',
      search({
        where: all(
          ...ordered.flatMap((column): Where[] => [
            { op: 'gte', column, value: sampleValue(column, 0) },
            { op: 'lt', column, value: sampleValue(column, 1) },
          ]),
        ),
      }),
    ],
    [
      'search: not',
      search({
        where: all(
          ...columnsNamed('cit', 'x?y').map((column): Where => ({ op: 'not', of: among(column) })),
          ...columnsNamed('day').map((column): Where => ({ op: 'not', of: { op: 'null', column } })),
        ),
      }),
    ],
    [
      'search: like',
      search({
        where: all(...table.search.columns.map(like(false)), {
          op: 'any',
          of: columnsNamed('cit', 'f8').map(like(true)),
        }),
      }),
    ],
    [
      'search: null in an array',
      search({
        where: all(
          ...columnsNamed('cit', 'day').map(
            (column): Where => ({ op: 'any', of: [among(column), { op: 'null', column }] }),
          ),
        ),
      }),
    ],
    ['search: q like', search({ searches: [asks('like', '50%_|')] })],
    [
      'search: q like, several words',
      search({
        table: { ...table, search: { ...table.search, columns: columnsNamed('cit', 'fold') } },
        searches: [asks('like', ...words)],
      }),
    ],
    [
      'search: q native',
      (dialect) =>
        dialect.search({
          ...read,
          columns: [id],
          table: dialect.limits.updateRows < 1000 ? { ...native, search: { ...native.search, index } } : native,
          searches: [asks('native', ...words)],
        }),
    ],
    [
      'search: q of one field, with its rank',
      search({
        columns: [
          id,
          { label: 'rank cit', search: { ...asks('like', 'x', 'y'), column: columnsNamed('cit')[0] ?? id } },
        ],
        searches: [{ ...asks('like', 'x', 'y'), column: columnsNamed('cit')[0] ?? id }],
      }),
    ],
    [
      'search: tsquery like, by rank',
      search({
        table: { ...table, search: { ...table.search, columns: columnsNamed('cit', 'day') } },
        searches: [tsquery('like')],
        sort: [{ by: { label: 'rank', search: tsquery('like') }, direction: 'desc', nulls: 'first' }],
      }),
    ],
    [
      'search: tsquery native, by a rank that is shown',
      (dialect) => {
        const ranked: Rank = { label: 'rank', search: tsquery('native') };
        return dialect.search({
          ...read,
          columns: [id, ranked],
          table: dialect.limits.updateRows < 1000 ? { ...native, search: { ...native.search, index } } : native,
          searches: [ranked.search],
          sort: [
            { by: ranked, direction: 'desc', nulls: 'first' },
            { by: id, direction: 'asc', nulls: 'last' },
          ],
        });
      },
    ],
    [
      'search: tsquery native, of words only',
      (dialect) => {
        const word = (text: string, prefix = false) => ({ op: 'word', text, prefix }) as const;
        const either = { op: 'or', of: [word('a'), word('b', true)] } as const;
        const query = { op: 'and', of: [either, { op: 'not', of: word('c') }] } as const;
        return dialect.search({
          ...read,
          columns: [id],
          table: dialect.limits.updateRows < 1000 ? { ...native, search: { ...native.search, index } } : native,
          searches: [{ ...asks('native'), query }],
        });
      },
    ],
    [
      'search: q auto, with its rank',
      (dialect) => {
        const ranked: Rank = { label: 'rank', search: asks('native', 'word') };
        const search = {
          ...native.search,
          mode: 'auto',
          ...(dialect.limits.updateRows < 1000 ? { index } : {}),
        } as const;
        return dialect.search({ ...read, columns: [ranked], table: { ...native, search }, searches: [ranked.search] });
      },
    ],
    [
      'search: sort with nulls, offset',
      search({
        limit: 10,
        offset: 20,
        sort: [
          { by: columnsNamed('a.b')[0] ?? id, direction: 'asc', nulls: 'last' },
          { by: columnsNamed('x?y')[0] ?? id, direction: 'desc', nulls: 'first' },
          { by: columnsNamed('day')[0] ?? id, direction: 'asc', nulls: 'first' },
          { by: columnsNamed('seen')[0] ?? id, direction: 'desc', nulls: 'last' },
          { by: id, direction: 'desc', nulls: 'first' },
        ],
      }),
    ],
    ['search: after a place', search({ after: ['1'], withCursor: true })],
    [
      'search: after a place, its first column never null',
      search({
        sort: [
          { by: id, direction: 'desc', nulls: 'first' },
          { by: columnsNamed('day')[0] ?? id, direction: 'asc', nulls: 'last' },
        ],
        after: ['1', '2024-02-29'],
      }),
    ],
    [
      'search: after a place in every type',
      search({
        sort: others.filter(({ name }) => name !== 'js').map((by) => ({ by, direction: 'asc', nulls: 'last' })),
        after: others.filter(({ name }) => name !== 'js').map((column) => storedOf(column, table)),
        withCursor: true,
      }),
    ],
    [
      'search: after a NULL, and NULLs first',
      search({
        where: all(...columnsNamed('cit').map(is(0))),
        sort: [
          { by: columnsNamed('x?y')[0] ?? id, direction: 'desc', nulls: 'first' },
          { by: columnsNamed('seen')[0] ?? id, direction: 'asc', nulls: 'last' },
          { by: columnsNamed('f8')[0] ?? id, direction: 'desc', nulls: 'first' },
          { by: id, direction: 'asc', nulls: 'last' },
        ],
        after: [null, null, '0.1', '1'],
      }),
    ],
    [
      'search: distinct',
      search({
        columns: others,
        distinct: true,
        where: all(is(0)(id)),
        sort: others.map((by) => ({ by, direction: 'asc', nulls: 'last' })),
      }),
    ],
    [
      'search: distinct by the columns themselves',
      search({
        columns: columnsNamed('x?y', 'span'),
        distinct: true,
        sort: columnsNamed('span', 'x?y').map((by) => ({ by, direction: 'desc', nulls: 'first' })),
      }),
    ],
    ...(['asc', 'desc'] as const).map(
      (direction) =>
        [
          `search: sort ${direction} by an index`,
          search({
            table: {
              ...table,
              about: { ...table.about, indexes: [{ name: 'i', columns: ['x?y'], unique: false, ordered: true }] },
            },
            where: all(...columnsNamed('cit').map(is(0))),
            sort: [
              ...columnsNamed('x?y').map((by) => ({
                by,
                direction,
                nulls: direction === 'asc' ? ('last' as const) : ('first' as const),
              })),
              { by: id, direction: 'asc', nulls: 'last' },
            ],
            offset: 20,
          }),
        ] as const,
    ),
    ['count: distinct', (dialect) => dialect.count({ ...read, columns: columnsNamed('cit', 'day'), distinct: true })],
    [
      'count',
      (dialect) =>
        dialect.count({
          ...read,
          where: all(...columnsNamed('cit').map(is(0))),
          table: native,
          searches: [asks('like', 'x')],
        }),
    ],
    ['estimate', (dialect) => dialect.estimate({ ...read, where: all(...columnsNamed('x?y').map(is(0))) }).statement],
    ['sizes', (dialect) => dialect.sizes(table).statement],
    [
      'delete',
      (dialect) =>
        dialect.delete({ ...removal, where: all(...columnsNamed('cit', 'fold', 'latin').map(among)) }, false),
    ],
    ['delete: all', (dialect) => dialect.delete(removal, false)],
    [
      'delete: in order',
      (dialect) => dialect.delete({ ...removal, where: all(...columnsNamed('cit').map(among)) }, true),
    ],
    [
      'delete: and show',
      (dialect) =>
        dialect.delete(
          { ...removal, where: all(...columnsNamed('cit').map(among)), returned: { columns: table.columns, limit: 3 } },
          false,
        ),
    ],
    [
      'records: locked',
      (dialect) =>
        dialect.records(table, [...table.columns, id], all(...columnsNamed('cit').map(among)), {
          order: composite,
          limit: 3,
          lock: true,
        }),
    ],
    ['lock', (dialect) => dialect.lock(table, [id], [['1'], ['2']], all())],
    ['lock: composite key', (dialect) => dialect.lock(table, composite, [row(composite, 0), row(composite, 1)], all())],
    [
      'lock: those inside a filter',
      (dialect) =>
        dialect.lock(
          table,
          composite,
          [row(composite, 0), row(composite, 1)],
          all({ op: 'any', of: columnsNamed('cit', 'x?y').map(among) }),
        ),
    ],
    ['insert: one', (dialect) => dialect.insert(table, others, [row(others, 0)], [])],
    [
      'insert: many, with NULL',
      (dialect) => dialect.insert(table, composite, [row(composite, 0), ['z', null]], composite),
    ],
    ['insert: nothing but defaults', (dialect) => dialect.insert(table, [], [[]], [id])],
    ['update: one', (dialect) => dialect.update(table, [id], others, [[sampleValue(id, 0), ...row(others, 1)]])],
    [
      'update: one by its exact key',
      (dialect) => dialect.updateOne(table, [id], others, null)([sampleValue(id, 0), ...row(others, 1)]),
    ],
    [
      'update: one inside a filter',
      (dialect) => {
        const inside = all({ op: 'any', of: columnsNamed('cit', 'x?y').map(among) });
        return dialect.updateOne(table, [id], columnsNamed('flag'), inside)([sampleValue(id, 0), 'true']);
      },
    ],
    [
      'update: one by an exact composite key, with NULL',
      (dialect) =>
        dialect.updateOne(table, composite, columnsNamed('flag', 'latin'), null)([...row(composite, 0), null, null]),
    ],
    [
      'update: many, with NULL',
      (dialect) => {
        const set = columnsNamed('a.b', 'bit1', 'f4');
        return dialect.update(table, [id], set, [
          [sampleValue(id, 0), ...row(set, 0)],
          [sampleValue(id, 1), null, null, null],
        ]);
      },
    ],
    [
      'update: many that are locked, with NULL',
      (dialect) => {
        const [set, rows] = [columnsNamed('a.b', 'bit1', 'f4'), [[sampleValue(id, 1), null, null, null]]];
        const simple = { ...table, uniqueKeys: [{ name: 'PRIMARY', columns: ['id'] }] };
        const locked = dialect.lockedUpdate(simple, [id], set);
        return (
          locked?.statement([[sampleValue(id, 0), ...row(set, 0)], ...rows]) ??
          dialect.update(table, [id], set, [[sampleValue(id, 0), ...row(set, 0)], ...rows])
        );
      },
    ],
    [
      'update: many, composite key',
      (dialect) => {
        const set = columnsNamed('flag', 'latin');
        return dialect.update(table, composite, set, [
          [...row(composite, 0), ...row(set, 0)],
          [...row(composite, 1), ...row(set, 1)],
        ]);
      },
    ],
  ];
}
