/** The rows of both properties: small, with equal values, NULL, and texts that mean something elsewhere. */
import type { Random } from '../../support/random.ts';

type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** Keys of rows inside, which callers write; rows outside have greater ones. */
export const insideKeys = Array.from({ length: 24 }, (_, nth) => nth + 1);
export const outsideKeys = Array.from({ length: 16 }, (_, nth) => nth + 101);

const texts = ['hydrogen', 'Hydrogen report', 'report', 'water', 'a%b', 'a_b', '', 'Wasser', "it's", 'own line'];
interface Column {
  readonly name: string;
  /** Values inside and outside. */
  readonly values: readonly Value[];
  /** Values that no row inside has at first. Callers ask for them, and write them at times. */
  readonly others: readonly Value[];
}
const plain: readonly Column[] = [
  { name: 'region', values: ['north', 'south', 'west', null], others: ['zebra'] },
  { name: 'name', values: [...texts, null], others: ['zebra', 'hydrogen zebra'] },
  { name: 'note', values: [...texts, 'hydrogen hydrogen water', null], others: ['zebra hydrogen hydrogen', 'zebra'] },
  { name: 'n', values: [-3, 0, 1, 2, 10, 99, null], others: [-99_999, 77_777] },
  { name: 'price', values: [0, 1.5, 2.25, 100, null], others: [-5000, 99_999.99] },
  { name: 'day', values: ['2020-02-29', '2021-06-01', '2021-06-02', '2024-12-31', null], others: ['1900-01-01'] },
];
const keys: Column = { name: 'id', values: insideKeys, others: outsideKeys };
const codes: Column = {
  name: 'code',
  values: [...insideKeys.map((key) => `code ${key}`), null],
  others: ['outside 101'],
};
/** The columns that callers see, in the order of the table. */
export const columns: readonly Column[] = [keys, ...plain, codes];

/** A value that callers ask for. */
export const chooseValue = ({ values, others }: Column, random: Random): Value =>
  random.one(random.isIn(0.15) ? others : values);

const rowOf = (random: Random, choice: (column: Column) => readonly Value[]): Row =>
  Object.fromEntries(plain.map((column) => [column.name, random.one(choice(column))]));

export const rowInside = (id: number, random: Random): Row => ({
  ...{ id, ...rowOf(random, ({ values }) => values), code: random.isIn(0.7) ? `code ${id}` : null },
});

/** A row of another tenant, or of none. */
export const rowOutside = (id: number, random: Random): Row => ({
  ...{ id, tenant: random.one([6, 8, 77, null]), code: random.isIn(0.5) ? `outside ${id}` : null },
  ...rowOf(random, ({ values, others }) => [...values, ...others]),
});
