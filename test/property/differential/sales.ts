/** Tables with values on which engines disagree, for questions in SQL. */
import { Random } from '../../support/random.ts';

type Value = string | number | boolean | null;

const regions = [
  'north',
  'North',
  'south',
  'a',
  'A',
  'a ',
  'ä',
  'é',
  'e',
  '',
  'ß',
  'ss',
  'z',
  '😀',
  null,
  'i',
] as const;
const ratios = [0.1, 0.5, 1.5, 2.5, -0.5, 1e-7, 123456.789, 0.3333333333333333, 1e20];

/** The statements that make the tables `sales` and `regions`, the same on every engine. */
export function salesTables(client: 'postgres' | 'mysql', seed: number, count = 200): string {
  const random = new Random(seed);
  const isMysql = client === 'mysql';
  const text = (length: number, collation = 'utf8mb4_general_ci') =>
    isMysql ? `varchar(${length}) CHARACTER SET utf8mb4 COLLATE ${collation}` : `varchar(${length})`;
  const [moment, double, flag] = isMysql
    ? ['datetime(6)', 'double', 'tinyint(1)']
    : ['timestamp(6)', 'double precision', 'boolean'];
  const row = (id: number): readonly Value[] => {
    const region = random.one(regions);
    const price = `${random.isIn(0.5) ? '' : '-'}${random.from(0, 999)}.${String(random.from(0, 999_999)).padStart(6, '0')}`;
    const big =
      id % 50 === 0
        ? '9223372036854775807'
        : id % 51 === 0
          ? '-9223372036854775808'
          : String(BigInt(random.from(0, 2 ** 31)) * 4294967291n);
    const day = (share: number) =>
      random.isIn(share) ? null : `2024-0${random.from(1, 9)}-${String(random.from(1, 28)).padStart(2, '0')}`;
    const at = day(0.05);
    const two = (most: number) => String(random.from(0, most)).padStart(2, '0');
    return [
      ...[id, region, region, random.one(['x', 'y', 'Z', null]), random.isIn(0.07) ? null : random.from(-20, 79), big],
      ...[
        random.isIn(0.05) ? null : price,
        random.isIn(0.04) ? null : random.one(ratios) * random.from(1, 3),
        day(0.05),
      ],
      at === null ? null : `${at} ${two(23)}:${two(59)}:${two(59)}.${String(random.from(0, 999_999)).padStart(6, '0')}`,
      random.one([true, false, null]),
      random.one([
        `n${random.from(0, 199)}`,
        `N${random.from(0, 19)} `,
        ` x_${random.from(0, 8)}`,
        'Straße',
        null,
        '100%',
      ]),
    ];
  };
  const rows = Array.from({ length: count }, (_, nth) => row(nth + 1));
  const literal = (value: Value) =>
    value === null ? 'NULL' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  const values = (all: readonly (readonly Value[])[]) =>
    all.map((one) => `(${one.map(literal).join(', ')})`).join(', ');
  const places: readonly (readonly Value[])[] = [
    ...[
      ['north', 'Nord', '18446744073709551615'],
      ['a', 'Klein', '0'],
      ['south', 'Süd', null],
      ['😀', 'Umlaut', '7'],
      ['z', 'Ende', '12345678901234567890'],
    ],
  ];
  return `
    CREATE TABLE sales (id int PRIMARY KEY, region ${text(200)}, region_bin ${text(200, 'utf8mb4_bin')}, kind ${text(20)}, qty int, big bigint,
      price numeric(20, 6), ratio ${double}, day date, at ${moment}, flag ${flag}, note ${text(100)});
    CREATE TABLE regions (code ${text(20)} PRIMARY KEY, name ${text(100)}, pop ${isMysql ? 'bigint unsigned' : 'numeric(20, 0)'});
    INSERT INTO sales VALUES ${values(rows)};
    INSERT INTO regions VALUES ${values(places)};`;
}
