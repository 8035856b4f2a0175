import fc from 'fast-check';
import type { Cell, Column, Kind, Table } from './table.ts';
import { cells } from './values.ts';

const names = [
  'n',
  'Größe',
  'a b',
  'x.y',
  '50%',
  'what?',
  'a as b',
  "it's",
  'back`tick',
  'a,b',
  'AUD$',
  '42',
  'constructor',
  'select',
  ':p',
  'a\\b',
  '価格',
  'rank',
  'ID2',
  'quo te',
  'under',
  'line',
  '{0}',
  '??',
  'long name with an end',
];

const digits = fc.integer({ min: 0, max: 6 });
const kind: fc.Arbitrary<Kind> = fc.oneof(
  fc.constantFrom<Kind>({ is: 'int', bits: 16 }, { is: 'int', bits: 32 }, { is: 'int', bits: 64 }),
  fc.constantFrom<Kind>(
    { is: 'numeric', precision: 6, scale: 2 },
    { is: 'numeric', precision: 9, scale: 9 },
    { is: 'numeric', precision: 20, scale: 0 },
    { is: 'numeric', precision: 38, scale: 18 },
  ),
  fc.constantFrom<Kind>({ is: 'double' }, { is: 'boolean' }, { is: 'text' }, { is: 'date' }, { is: 'bytes' }),
  fc.constantFrom<Kind>({ is: 'varchar', length: 5 }, { is: 'varchar', length: 40 }, { is: 'char', length: 4 }),
  digits.map((n): Kind => ({ is: 'timestamp', digits: n })),
  digits.map((n): Kind => ({ is: 'time', digits: n })),
);

const keyKind: fc.Arbitrary<Kind> = fc.oneof(
  fc.constantFrom<Kind>({ is: 'int', bits: 16 }, { is: 'int', bits: 64 }, { is: 'numeric', precision: 6, scale: 2 }),
  fc.constantFrom<Kind>({ is: 'varchar', length: 5 }, { is: 'date' }, { is: 'boolean' }, { is: 'bytes' }),
  fc.constantFrom<Kind>({ is: 'timestamp', digits: 3 }, { is: 'time', digits: 0 }),
);

/** The kinds of the key columns. */
const keys: fc.Arbitrary<readonly Kind[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<readonly Kind[]>([{ is: 'int', bits: 32 }], [{ is: 'int', bits: 64 }]) },
  { weight: 2, arbitrary: fc.constant<readonly Kind[]>([{ is: 'varchar', length: 40 }]) },
  { weight: 2, arbitrary: fc.array(keyKind, { minLength: 2, maxLength: 3 }) },
  { weight: 1, arbitrary: keyKind.map((one) => [one]) },
  { weight: 1, arbitrary: fc.constant([]) },
);

function column(name: string, of: Kind): fc.Arbitrary<Column> {
  // MySQL's TEXT cannot have a default.
  const value: fc.Arbitrary<Cell> = of.is === 'text' ? fc.constant(null) : fc.option(cells(of), { freq: 2 });
  return fc.record({ name: fc.constant(name), kind: fc.constant(of), notNull: fc.boolean(), default: value });
}

/** Kinds whose values are distinguished in the same way by all engines, with few values that often collide. */
const isTold = ({ is }: Kind): boolean => is === 'int' || is === 'varchar';

/** A table with random columns, keys and names. */
export function table(name: string): fc.Arbitrary<Table> {
  const shape = fc.tuple(
    keys,
    fc.array(kind, { minLength: 3, maxLength: 8 }),
    fc.shuffledSubarray(names, { minLength: 12 }),
  );
  return shape.chain(([key, kinds, order]) => {
    const keyNames = key.map((_, i) => order[i] ?? 'id');
    const keyColumns = key.map((of, i) => ({ name: keyNames[i] ?? 'id', kind: of, notNull: true, default: null }));
    const others = kinds.map((of, i) => column(order[key.length + i] ?? `c${i}`, of));
    return fc.tuple(...others).chain((columns) =>
      // The key columns are at random positions, in random order.
      fc
        .tuple(
          fc.shuffledSubarray(keyNames, { minLength: key.length }),
          fc.shuffledSubarray([...keyColumns, ...columns], { minLength: key.length + columns.length }),
          fc.boolean(),
        )
        .map(([keyOrder, all, more]) => {
          const unique = (more && columns.find(({ kind }) => isTold(kind))?.name) || null;
          return { name, key: keyOrder, unique, columns: all };
        }),
    );
  });
}
