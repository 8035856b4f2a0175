/** Range filters around every stored value, on every engine, compared with a model that knows the exact values. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { where } from '../../../src/actions/query/filters.ts';
import type { RangeOp, Read } from '../../../src/model/plan.ts';
import type { Table } from '../../../src/model/table.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { type Engine, engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

/** Maps the values of a kind to integers, in their exact order. */
interface Scale {
  read(text: string): bigint;
  write(place: bigint): string;
  /** Distances from each value at which bounds are tested. */
  readonly steps: readonly bigint[];
}
interface Kind {
  readonly mysql: string | null;
  readonly postgres: string | null;
  readonly scale: Scale;
  readonly values: readonly string[];
  /** Values that only PostgreSQL has. */
  readonly onPostgres?: readonly string[];
  readonly bounds?: readonly string[];
}

const thorough = process.env.FUZZ_CASES !== undefined;
const places = 360;
const infinite: Readonly<Record<string, bigint>> = {
  '-infinity': -(10n ** 900n),
  infinity: 10n ** 900n,
  nan: 10n ** 901n,
};
const numbers: Scale = {
  read(text) {
    const special = infinite[text.toLowerCase()];
    if (special !== undefined) return special;
    const [, sign = '', whole = '', fraction = '', exponent = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? [];
    const units = BigInt(whole + fraction) * 10n ** BigInt(places + Number(exponent) - fraction.length);
    return sign === '' ? units : -units;
  },
  write(place) {
    const special = Object.entries(infinite).find(([, value]) => value === place)?.[0];
    const digits = String(place < 0n ? -place : place).padStart(places + 1, '0');
    const fraction = digits.slice(-places).replace(/0+$/, '');
    const whole = digits.slice(0, -places);
    return special ?? `${place < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  },
  steps: [0n, 1n, 5n * 10n ** BigInt(places - 1)],
};

const second = 10n ** 9n;
const clock = (place: bigint) => {
  const [units, rest] = [place < 0n ? -place : place, second];
  const seconds = units / rest;
  const two = (n: bigint) => String(n).padStart(2, '0');
  const fraction = String(units % rest)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const text = `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
  return `${place < 0n ? '-' : ''}${text}${fraction === '' ? '' : `.${fraction}`}`;
};
const unclock = (text: string) => {
  const [, sign, hours = '', minutes = '', seconds = '', fraction = ''] =
    /^(-?)(\d+):(\d\d):(\d\d)(?:\.(\d+))?$/.exec(text) ?? [];
  const whole = BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds);
  return (sign === '-' ? -1n : 1n) * (whole * second + BigInt(fraction.padEnd(9, '0')));
};
const times: Scale = { read: unclock, write: clock, steps: [0n, 1n, second / 2n] };

const day = 86_400n * second;
const moments: Scale = {
  read(text) {
    const special = infinite[text];
    if (special !== undefined) return special;
    const [date = '', time = '00:00:00'] = text.split('T');
    return (BigInt(new Date(`${date}T00:00:00Z`).getTime()) / 86_400_000n) * day + unclock(time);
  },
  write(place) {
    const special = Object.entries(infinite).find(([, value]) => value === place)?.[0];
    if (special !== undefined) return special;
    const days = place / day - (place % day < 0n ? 1n : 0n);
    return `${new Date(Number(days) * 86_400_000).toISOString().replace(/^\+0*|T.*/g, '')}T${clock(place - days * day)}`;
  },
  steps: [0n, 1n, second / 2n],
};

/** Values in the order of a list, with nothing in between. */
const listed = (...list: readonly string[]): Scale => ({
  read: (text) => BigInt(list.indexOf(text)),
  write: (place) => list[Number(place)] ?? '',
  steps: [0n],
});

const choice = ['small', 'medium', 'large'];
const stamps = ['2024-02-29T12:34:56', '2024-02-29T00:00:00', '1999-12-31T23:59:59', '1970-01-01T00:00:00'];
const kinds: Readonly<Record<string, Kind>> = {
  i1: { mysql: 'tinyint', postgres: 'smallint', scale: numbers, values: ['-128', '-1', '0', '1', '127'] },
  i8: {
    ...{ mysql: 'bigint', postgres: 'bigint', scale: numbers },
    values: ['-9223372036854775808', '0', '9007199254740993', '9223372036854775807'],
  },
  u8: {
    ...{ mysql: 'bigint unsigned', postgres: 'numeric(20)', scale: numbers },
    values: ['0', '1', '18446744073709551615'],
  },
  yr: { mysql: 'year', postgres: null, scale: numbers, values: ['0', '1901', '2000', '2155'] },
  d2: {
    ...{ mysql: 'decimal(6,2)', postgres: 'numeric(6,2)', scale: numbers },
    ...{ values: ['-9999.99', '-0.01', '0.00', '2.50', '9999.99'], onPostgres: ['nan'], bounds: ['nan', 'infinity'] },
  },
  d30: {
    ...{ mysql: 'decimal(65,30)', postgres: 'numeric(65,30)', scale: numbers },
    values: ['0.000000000000000000000000000001', '12345678901234567890.123456789012345678901234567890'],
  },
  free: {
    ...{ mysql: null, postgres: 'numeric', scale: numbers },
    ...{ values: ['0', '1e-200', '1e200'], onPostgres: ['nan', 'infinity', '-infinity'] },
  },
  f4: {
    ...{ mysql: 'float', postgres: 'real', scale: numbers, onPostgres: ['nan', 'infinity'] },
    ...{
      values: ['0', '0.1', '-1.5', '16777216', '3.4028235e38', '1e-45'],
      bounds: ['16777217', '0.100000001', 'nan'],
    },
  },
  f8: {
    ...{ mysql: 'double', postgres: 'double precision', scale: numbers, onPostgres: ['nan', '-infinity'] },
    values: ['0', '0.1', '0.30000000000000004', '-2.5', '9007199254740992', '1.7976931348623157e308', '5e-324'],
    bounds: ['9007199254740993', '0.3', 'infinity', '-infinity'],
  },
  bo: { mysql: 'boolean', postgres: 'boolean', scale: listed('false', 'true'), values: ['true', 'false'] },
  en: {
    mysql: `enum('${choice.join("','")}')`,
    postgres: 'size',
    scale: listed(...choice),
    values: ['large', 'small', 'medium'],
  },
  da: {
    ...{ mysql: 'date', postgres: 'date', scale: moments, onPostgres: ['infinity', '-infinity'] },
    values: ['2024-02-29', '2024-03-01', '1000-01-01', '9999-12-31'],
    bounds: ['infinity', '-infinity'],
  },
  t0: { mysql: 'datetime', postgres: 'timestamp(0)', scale: moments, values: stamps },
  t3: {
    ...{ mysql: 'datetime(3)', postgres: 'timestamp(3)', scale: moments, onPostgres: ['infinity'] },
    values: [...stamps, '2024-02-29T12:34:56.789', '9999-12-31T23:59:59.999', '1000-01-01T00:00:00'],
  },
  t6: {
    ...{ mysql: 'timestamp(6) NULL', postgres: 'timestamp', scale: moments },
    ...{
      values: [...stamps.slice(0, 3), '2024-02-29T12:34:56.789012'],
      bounds: ['1000-01-01', '9999-12-31', 'infinity'],
    },
  },
  tz: { mysql: null, postgres: 'timestamptz', scale: moments, values: stamps, onPostgres: ['-infinity'] },
  c0: {
    ...{ mysql: 'time', postgres: 'time(0)', scale: times, values: ['00:00:00', '12:00:00', '23:59:59'] },
    bounds: ['-00:00:01', '24:00:01', '900:00:00'],
  },
  c3: { mysql: 'time(3)', postgres: 'time(3)', scale: times, values: ['00:00:00', '12:00:00.5', '23:59:59.999'] },
  sp: { mysql: 'time(1)', postgres: null, scale: times, values: ['-838:59:59', '-00:00:00.1', '838:59:59'] },
  bi: {
    ...{ mysql: 'bit(4)', postgres: 'bit(4)', scale: listed('0000', '0001', '0010', '1111') },
    values: ['0000', '0010', '1111'],
  },
};

const finds: Readonly<Record<RangeOp, (value: bigint, bound: bigint) => boolean>> = {
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
};

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const mysql = engine.client === 'mysql';
  const alike = engines().filter((other) => (other.client === 'mysql') === mysql);
  const columns = Object.entries(kinds).flatMap(([name, kind]) => {
    const type = mysql ? kind.mysql : kind.postgres;
    const values = [...kind.values, ...(mysql ? [] : (kind.onPostgres ?? []))];
    return type === null ? [] : [{ ...kind, name, type, values }];
  });
  let database: FreshDatabase;
  let opened: Opened;
  let table: Table;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(script(engine, columns));
    opened = await open(database);
    table = await opened.table({ table: 'r', columns: mysql ? { bo: { boolean: true } } : {} });
  });
  afterAll(async () => {
    await opened?.close();
    await database?.drop();
  });

  async function found(column: string, op: RangeOp, bound: string): Promise<readonly number[]> {
    const plan: Read = {
      ...{
        effect: 'read',
        table,
        columns: table.key,
        format: 'objects',
        where: where({ [column]: { [op]: bound } }, table, { inValues: 1, qBytes: 0 }),
      },
      ...{
        searches: [],
        sort: [],
        limit: 1000,
        offset: 0,
        after: null,
        withCursor: false,
        distinct: false,
        total: false,
      },
    };
    const { cells } = await opened.run(opened.dialect.search(plan));
    return cells.map(([id]) => Number(id)).sort((a, b) => a - b);
  }

  test.each(columns.map((column) => [column.name, column] as const))(
    '%s',
    async (name, { scale, values, bounds = [] }) => {
      const around = values.flatMap((value) =>
        infinite[value] === undefined
          ? scale.steps.flatMap((step) => [scale.read(value) - step, scale.read(value) + step])
          : [scale.read(value)],
      );
      const places = new Set([...around, ...bounds.map(scale.read)].filter((place) => scale.write(place) !== ''));
      // Engines with the same dialect get the same SQL, so the cases are shared out among them.
      const all = [...places].filter((_place, nth) => thorough || alike[nth % alike.length] === engine);
      const actual: unknown[] = [];
      const expected: unknown[] = [];
      for (const place of all) {
        for (const op of ['gt', 'gte', 'lt', 'lte'] as const) {
          const bound = scale.write(place);
          actual.push([op, bound, await found(name, op, bound)]);
          expected.push([
            op,
            bound,
            values.flatMap((value, nth) => (finds[op](scale.read(value), place) ? [nth + 1] : [])),
          ]);
        }
      }
      expect(actual).toEqual(expected);
    },
  );
});

/** One row per value. Columns with fewer values are filled with NULL, on MySQL with zero dates. */
function script(
  engine: Engine,
  columns: readonly { readonly name: string; readonly type: string; readonly values: readonly string[] }[],
): string {
  const mysql = engine.client === 'mysql';
  const zero = (type: string) => (mysql && /^date|^timestamp/.test(type) ? `'0000-00-00'` : 'NULL');
  const literal = (value: string, type: string) =>
    mysql && /^(bool|bit|year)/.test(type) ? (type === 'bit(4)' ? `b'${value}'` : value) : `'${value}'`;
  const rows = Array.from({ length: 10 }, (_, nth) => {
    const cells = columns.map(({ values, type }) => {
      const value = values[nth];
      return value === undefined ? (nth === 9 ? zero(type) : 'NULL') : literal(value, type);
    });
    return `(${[nth + 1, ...cells].join(', ')})`;
  });
  return `${mysql ? `SET SESSION sql_mode = '', time_zone = '+00:00';` : `SET TimeZone = 'UTC'; CREATE TYPE size AS ENUM ('${choice.join("','")}');`}
    CREATE TABLE r (id int PRIMARY KEY, ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')});
    INSERT INTO r VALUES ${rows.join(', ')};`;
}
