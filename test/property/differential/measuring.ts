/** Random measures of one table, and their answers as JavaScript computes them: numbers as BigInt, never as doubles. */
import type { Random } from '../../support/random.ts';

/** How a column's values look in answers. `scale`: the fractional digits of an exact number. */
interface Measured {
  readonly name: string;
  readonly postgres: string;
  readonly mysql: string;
  readonly values: readonly (string | null)[];
  readonly scale?: number;
  readonly time?: 'date' | 'timestamp';
}

const int8s = ['9223372036854775807', '-9223372036854775808', '9223372036854775806', '0', '-1', '4611686018427387904'];
export const columns: readonly Measured[] = [
  { name: 'small', postgres: 'smallint', mysql: 'smallint', values: ['-2', '0', '3', null], scale: 0 },
  {
    ...{ name: 'n', postgres: 'int', mysql: 'int', scale: 0 },
    values: ['2147483647', '-2147483648', '7', '-7', '1', '299', '300', null],
  },
  { name: 'big', postgres: 'bigint', mysql: 'bigint', values: [...int8s, null], scale: 0 },
  {
    ...{ name: 'price', postgres: 'numeric(20, 6)', mysql: 'decimal(20, 6)', scale: 6 },
    values: [
      '99999999999999.999999',
      '-99999999999999.999999',
      '0.000001',
      '-0.000001',
      '299.999999',
      '2.5',
      '0',
      null,
    ],
  },
  {
    ...{ name: 'wide', postgres: 'numeric(38, 18)', mysql: 'decimal(38, 18)', scale: 18 },
    values: ['99999999999999999999.999999999999999999', '-0.000000000000000001', '0.00000000000000005', '1', null],
  },
  {
    ...{ name: 'ratio', postgres: 'double precision', mysql: 'double' },
    values: ['0', '0.1', '3', '0.0000003', '1e20', '-2.2250738585072014e-308', '123456.789', null],
  },
  {
    ...{ name: 't', postgres: 'varchar(20)', mysql: 'varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci' },
    values: ['a', 'A', 'a ', 'ä', 'ß', 'ss', 'İ', 'i', '😀', '', 'O\\\'B"', null],
  },
  {
    ...{ name: 'day', postgres: 'date', mysql: 'date', time: 'date' },
    values: ['2023-12-31', '2024-01-01', '2024-02-29', '0001-01-01', '9999-12-31', '0011-06-15', null],
  },
  {
    ...{ name: 'seen', postgres: 'timestamp(3)', mysql: 'datetime(3)', time: 'timestamp' },
    values: [
      '2023-12-31T23:59:59.999',
      '2024-01-01T00:00:00.000',
      '2024-05-06T07:08:09.010',
      '1969-12-31T12:00:00.500',
      null,
    ],
  },
];

export type Row = Readonly<Record<string, string | null>>;

export const randomRows = (random: Random): readonly Row[] =>
  Array.from({ length: random.from(0, 40) }, () =>
    Object.fromEntries(columns.map(({ name, values }) => [name, random.one(values)])),
  );

/** A call with the answer that it must get. */
export interface Asked {
  readonly params: Readonly<Record<string, unknown>>;
  /** The texts of the records, as JSON; a number for a double, whose last digits depend on the order of the records. */
  readonly expected: readonly (readonly (string | number)[])[];
  /** How many cells of a record identify it, where a text is among the groups: engines sort texts differently. Else null. */
  readonly key: number | null;
}

const scaleOf = ({ scale }: Measured): number => scale ?? 0;

/** The units of an exact number: `1.5` with scale 2 is 150n. */
function units(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

function digits(number: bigint, scale: number): string {
  const text = String(number < 0n ? -number : number).padStart(scale + 1, '0');
  const at = text.length - scale;
  return `${number < 0n ? '-' : ''}${text.slice(0, at)}${scale === 0 ? '' : `.${text.slice(at)}`}`;
}

const floor = (number: bigint, by: bigint): bigint => {
  const rest = number % by;
  return number - (rest < 0n ? rest + by : rest);
};

/** The mean with 16 fractional digits, half away from zero. */
function mean(sum: bigint, count: number, scale: number): string {
  const [above, below] = [(sum < 0n ? -sum : sum) * 10n ** 16n * 2n, BigInt(count) * 10n ** BigInt(scale)];
  const rounded = (above / below + 1n) / 2n;
  return digits(sum < 0n ? -rounded : rounded, 16);
}

const days = ['year', 'quarter', 'month', 'week', 'day'] as const;
type Every = (typeof days)[number] | 'hour' | 'minute';

/** The beginning of a calendar unit, as answers show it. */
function beginning(text: string, every: Every, isDate: boolean): string {
  const at = new Date(`${text.slice(0, 10)}T${text.slice(11) || '00:00:00.000'}Z`);
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (every === 'week') day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  if (every === 'quarter') day.setUTCMonth(day.getUTCMonth() - (day.getUTCMonth() % 3), 1);
  if (every === 'month') day.setUTCDate(1);
  if (every === 'year') day.setUTCMonth(0, 1);
  if (every === 'hour' || every === 'minute')
    day.setUTCHours(at.getUTCHours(), every === 'hour' ? 0 : at.getUTCMinutes());
  return isDate ? day.toISOString().slice(0, 10) : day.toISOString().slice(0, -1);
}

interface Grouped {
  readonly sent: unknown;
  readonly isText: boolean;
  /** The JSON of a record's group, and what it sorts by. */
  of(row: Row): { readonly json: string; readonly at: bigint | string | null };
}

function randomGroup(random: Random, nth: number): Grouped {
  const column = random.one(columns.filter(({ name }) => name !== 'ratio'));
  const { name, time } = column;
  const as = `g${nth}`;
  const scale = scaleOf(column);
  const isExact = column.scale !== undefined;
  const none = { json: 'null', at: null };
  if (time !== undefined && random.isIn(0.6)) {
    const every = random.one<Every>(time === 'date' ? days : [...days, 'hour', 'minute']);
    const of = (value: string) => beginning(value, every, time === 'date');
    return {
      ...{ sent: { field: name, every, as }, isText: false },
      of: ({ [name]: value = null }) => (value === null ? none : { json: JSON.stringify(of(value)), at: of(value) }),
    };
  }
  if (isExact && random.isIn(0.5)) {
    const width = random.one(['100', '7', '0.5', '0.000003', '1000000', '300']);
    const places = width.split('.')[1]?.length ?? 0;
    const most = Math.max(places, scale);
    // The smallest int8 has no multiple of these widths below it.
    const of = (value: string) => floor(units(value, most), units(width, most)) / 10n ** BigInt(most - places);
    return {
      ...{ sent: { field: name, width: random.isIn(0.5) ? width : Number(width), as }, isText: false },
      of: ({ [name]: value = null }) => (value === null ? none : { json: digits(of(value), places), at: of(value) }),
    };
  }
  return {
    ...{ sent: { field: name, as }, isText: name === 't' },
    of({ [name]: value = null }) {
      if (value === null) return none;
      return isExact
        ? { json: digits(units(value, scale), scale), at: units(value, scale) }
        : { json: JSON.stringify(value), at: value };
    },
  };
}

interface Measure {
  readonly sent: unknown;
  /** The JSON of the measure; a number for a double. */
  of(rows: readonly Row[]): string | number;
}

function randomMeasure(random: Random): Measure {
  const column = random.one(columns);
  const { name, time, scale } = column;
  const isNumber = scale !== undefined || name === 'ratio';
  const fn = random.one(
    isNumber
      ? (['sum', 'avg', 'min', 'max', 'count', 'distinct'] as const)
      : time !== undefined
        ? (['min', 'max', 'count', 'distinct'] as const)
        : (['count', 'distinct'] as const),
  );
  const least = random.one(['-2', '0', '3']);
  const isFiltered = random.isIn(0.3);
  const matches = ({ small = null }: Row) => !isFiltered || (small !== null && Number(small) >= Number(least));
  const sent = { [fn]: name, ...(isFiltered ? { filters: { small: { gte: Number(least) } } } : {}) };
  return {
    sent,
    of(rows) {
      const values = rows.filter(matches).flatMap(({ [name]: value = null }) => (value === null ? [] : [value]));
      if (fn === 'count') return String(values.length);
      if (fn === 'distinct') return String(new Set(values).size);
      if (values.length === 0) return 'null';
      if (name === 'ratio') return double(fn, values.map(Number));
      if (scale === undefined) return JSON.stringify([...values].sort().at(fn === 'min' ? 0 : -1));
      const numbers = values.map((value) => units(value, scale));
      const sum = numbers.reduce((all, one) => all + one, 0n);
      const sorted = [...numbers].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      if (fn === 'avg') return mean(sum, values.length, scale);
      return digits(fn === 'sum' ? sum : (sorted.at(fn === 'min' ? 0 : -1) ?? 0n), scale);
    },
  };
}

function double(fn: string, values: readonly number[]): number {
  const sum = values.reduce((all, one) => all + one, 0);
  return fn === 'sum'
    ? sum
    : fn === 'avg'
      ? sum / values.length
      : fn === 'min'
        ? Math.min(...values)
        : Math.max(...values);
}

/** A random call on these rows. */
export function randomQuestion(random: Random, rows: readonly Row[]): Asked {
  const groups = Array.from({ length: random.from(0, 3) }, (_, nth) => randomGroup(random, nth));
  const measures = Array.from({ length: random.from(0, 4) }, () => randomMeasure(random));
  const isFiltered = random.isIn(0.3);
  const matching = rows.filter(({ n = null }) => !isFiltered || (n !== null && Number(n) < 300));
  const sets = new Map<string, Row[]>(groups.length === 0 ? [['', []]] : []);
  for (const row of matching) {
    const key = groups.map(({ of }) => of(row).json).join();
    sets.set(key, [...(sets.get(key) ?? []), row]);
  }
  const isOrdered = groups.every(({ isText }) => !isText);
  const [least, isDown] = [random.isIn(0.3) ? 2 : 0, random.isIn(0.5)];
  const all = [...sets.values()].filter((set) => set.length >= least);
  const at = ([row]: readonly Row[]) => groups.map(({ of }) => (row === undefined ? null : of(row).at));
  all.sort((a, b) => (a.length - b.length) * (isDown ? -1 : 1) || compare(at(a), at(b)));
  const [limit, offset] = isOrdered && random.isIn(0.4) ? [random.from(1, 5), random.from(0, 3)] : [1000, 0];
  return {
    params: {
      ...(groups.length > 0 || random.isIn(0.5) ? { groups: groups.map(({ sent }) => sent) } : {}),
      measures: { records: 'count', ...Object.fromEntries(measures.map(({ sent }, nth) => [`m${nth}`, sent])) },
      ...(isFiltered ? { filters: { n: { lt: 300 } } } : {}),
      ...(least > 0 ? { having: { records: { gte: least } } } : {}),
      ...{ sort: `records${isDown ? ' desc' : ''}`, limit, offset },
    },
    key: isOrdered ? null : groups.length,
    expected: all
      .slice(offset, offset + limit)
      .map((set) => [
        ...groups.map(({ of }) => (set[0] === undefined ? 'null' : of(set[0]).json)),
        String(set.length),
        ...measures.map(({ of }) => of(set)),
      ]),
  };
}

/** Ascending, NULLs last. */
function compare(one: readonly (bigint | string | null)[], other: readonly (bigint | string | null)[]): number {
  for (const [nth, a] of one.entries()) {
    const b = other[nth] ?? null;
    if (a === b) continue;
    return a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
  }
  return 0;
}
