import { type Family, mysql, postgres, same, text, type Value } from '../family.ts';

const wrongDates = ['"abc"', '"2023-02-29"', '"2023-13-01"', '"01/02/2023"', '20240101', 'true', '"2024-1-001"'];
const wrongTimes = [...wrongDates, '"2024-01-01T25:00:00"', '"2024-01-01T00:60:00"', '"2024-01-01 00:00:00x"'];

/** A timestamp as in SQL. It is shown with a `T`, and with at least three decimals if the column has no time zone. */
const timestamp = (sql: string, shown: string, ...others: readonly string[]): Value => [
  `'${sql}'`,
  text(shown),
  text(sql),
  ...others.map(text),
];

export const dates: readonly Family[] = [
  {
    name: 'date on PostgreSQL',
    on: postgres,
    column: 'date',
    values: [
      same('2024-02-29', '2024-02-29T00:00:00', '2024-02-29 00:00:00Z'),
      same('0001-01-01'),
      same('0001-12-31 BC'),
      same('0005-02-29 BC'),
      same('4714-11-24 BC'),
      same('10000-01-01'),
      same('5874897-12-31'),
      same('infinity', 'Infinity'),
      same('-infinity'),
    ],
    beyond: [
      '"2024-02-29T12:00:00"',
      '"5874898-01-01"',
      '"4714-11-23 BC"',
      '"0000-01-01"',
      '"2024-00-00"',
      '"0000-00-00"',
    ],
    wrong: [...wrongDates, '"0004-02-29 BC"'],
  },
  {
    name: 'date on MySQL',
    on: mysql,
    column: 'date',
    values: [
      same('2024-02-29', '2024-02-29T00:00:00', '2024-02-29 00:00:00Z'),
      same('1000-01-01'),
      same('9999-12-31'),
      same('2024-00-00'),
      same('2024-05-00'),
    ],
    zero: ["'0000-00-00'"],
    beyond: ['"2024-02-29T12:00:00"', '"10000-01-01"', '"0044-03-15 BC"', '"0000-00-00"', '"infinity"'],
    wrong: wrongDates,
  },
];

export const timestamps: readonly Family[] = [
  {
    name: 'timestamp on PostgreSQL',
    on: postgres,
    column: 'timestamp',
    values: [
      timestamp(
        '2020-01-02 03:04:05',
        '2020-01-02T03:04:05.000',
        '2020-01-02T03:04:05Z',
        '2020-01-02T03:04:05.0000000',
      ),
      timestamp('2020-01-02 03:04:05.5', '2020-01-02T03:04:05.500'),
      timestamp('2020-01-02 03:04:05.123456', '2020-01-02T03:04:05.123456'),
      timestamp('2020-01-02 03:04:05.12345', '2020-01-02T03:04:05.12345'),
      timestamp('2020-01-02', '2020-01-02T00:00:00.000', '2020-01-02T00:00'),
      timestamp('0044-03-15 12:00:00 BC', '0044-03-15T12:00:00.000 BC'),
      timestamp('4714-11-24 00:00:00 BC', '4714-11-24T00:00:00.000 BC'),
      timestamp('294276-12-31 23:59:59.999999', '294276-12-31T23:59:59.999999'),
      timestamp('infinity', 'infinity'),
      timestamp('-infinity', '-infinity'),
    ],
    beyond: ['"2020-01-02T03:04:05.1234567"', '"294277-01-01"', '"4714-11-23 BC"'],
    wrong: [...wrongTimes, '"2020-01-02T03:04:05+02:00"'],
  },
  {
    name: 'timestamp(0)',
    on: postgres,
    column: 'timestamp(0)',
    values: [timestamp('2020-01-02 03:04:05', '2020-01-02T03:04:05.000')],
    beyond: ['"2020-01-02T03:04:05.5"'],
    wrong: wrongTimes,
  },
  {
    name: 'timestamptz',
    on: postgres,
    column: 'timestamptz',
    values: [
      timestamp(
        '2020-01-02 03:04:05+00',
        '2020-01-02T03:04:05+00:00',
        '2020-01-02T03:04:05Z',
        '2020-01-02T03:04:05',
        '2020-01-02T05:04:05+02:00',
        '2020-01-01T21:34:05-0530',
      ),
      timestamp('2020-01-02 03:04:05.5+00', '2020-01-02T03:04:05.5+00:00'),
      timestamp('2020-01-02 03:04:05.123456+00', '2020-01-02T03:04:05.123456+00:00'),
      timestamp('2019-12-31 23:30:00+00', '2019-12-31T23:30:00+00:00', '2020-01-01T01:30:00+02'),
      timestamp('2024-02-29 22:00:00+00', '2024-02-29T22:00:00+00:00', '2024-03-01T00:00:00+02:00'),
      timestamp('10000-01-01 01:00:00+00', '10000-01-01T01:00:00+00:00', '9999-12-31T23:00:00-02:00'),
      timestamp('0001-12-31 22:00:00+00 BC', '0001-12-31T22:00:00+00:00 BC', '0001-01-01T00:00:00+02:00'),
      timestamp('0001-01-01 01:00:00+00', '0001-01-01T01:00:00+00:00', '0001-12-31T23:00:00-02:00 BC'),
      timestamp('infinity', 'infinity'),
      timestamp('-infinity', '-infinity'),
    ],
    beyond: ['"2020-01-02T03:04:05.1234567Z"', '"294277-01-01T00:00:00Z"', '"294276-12-31T23:00:00-02:00"'],
    wrong: [...wrongTimes, '"2020-01-02T03:04:05+99:00"', '"2020-01-02T03:04:05 Europe/Kyiv"'],
  },
  ...[0, 1, 3, 6].map(
    (digits): Family => ({
      name: `datetime(${digits})`,
      on: mysql,
      column: `datetime(${digits})`,
      values: [
        timestamp('2020-01-02 03:04:05', '2020-01-02T03:04:05.000', '2020-01-02T03:04:05Z'),
        timestamp('1000-01-01 00:00:00', '1000-01-01T00:00:00.000', '1000-01-01'),
        timestamp('9999-12-31 23:59:59', '9999-12-31T23:59:59.000'),
        timestamp('2024-00-00 00:00:00', '2024-00-00T00:00:00.000'),
        ...[timestamp('2020-01-02 03:04:05.9', '2020-01-02T03:04:05.900')].slice(digits > 0 ? 0 : 1),
        ...[timestamp('2020-01-02 03:04:05.999', '2020-01-02T03:04:05.999')].slice(digits > 2 ? 0 : 1),
        ...[timestamp('2020-01-02 03:04:05.123456', '2020-01-02T03:04:05.123456')].slice(digits > 5 ? 0 : 1),
        ...[timestamp('2020-01-02 03:04:05.12345', '2020-01-02T03:04:05.12345')].slice(digits > 5 ? 0 : 1),
      ],
      zero: ["'0000-00-00 00:00:00'"],
      beyond: [
        `"2020-01-02T03:04:05.${'0'.repeat(digits)}1"`,
        '"10000-01-01"',
        '"0044-03-15 BC"',
        '"0000-00-00"',
        '"infinity"',
      ],
      wrong: [...wrongTimes, '"2020-01-02T03:04:05+02:00"'],
    }),
  ),
  ...[0, 3, 6].map(
    (digits): Family => ({
      name: `timestamp(${digits}) on MySQL`,
      on: mysql,
      column: `timestamp(${digits}) NULL DEFAULT NULL`,
      values: [
        timestamp('2020-01-02 03:04:05', '2020-01-02T03:04:05.000', '2020-01-02T03:04:05Z'),
        timestamp('1970-01-01 00:00:01', '1970-01-01T00:00:01.000'),
        timestamp('2038-01-19 03:14:07', '2038-01-19T03:14:07.000'),
        // In the time zone of Kyiv: an hour that exists twice when summer time ends, and one that is skipped when it begins.
        timestamp('2023-10-29 00:30:00', '2023-10-29T00:30:00.000'),
        timestamp('2023-10-29 01:30:00', '2023-10-29T01:30:00.000'),
        timestamp('2023-03-26 03:30:00', '2023-03-26T03:30:00.000'),
        ...[timestamp('2020-01-02 03:04:05.123456', '2020-01-02T03:04:05.123456')].slice(digits > 5 ? 0 : 1),
      ],
      zero: ["'0000-00-00 00:00:00'"],
      beyond: [
        `"2020-01-02T03:04:05.${'0'.repeat(digits)}1"`,
        '"1969-12-31T23:59:59"',
        '"2200-01-01"',
        '"2024-00-00"',
        '"0000-00-00"',
      ],
      wrong: wrongTimes,
    }),
  ),
];

const wrongSpans = ['"abc"', '"12"', '"12:60"', '"12:00:60"', '120000', 'true', '"12:00:00+02"'];

export const times: readonly Family[] = [
  {
    name: 'time on PostgreSQL',
    on: postgres,
    column: 'time',
    values: [
      same('03:04:05', '03:04:05.000', '03:04:05Z'),
      same('00:00:00', '00:00'),
      same('24:00:00'),
      same('23:59:59.999999'),
      same('03:04:05.5', '03:04:05.50'),
    ],
    beyond: ['"24:00:01"', '"-01:00:00"', '"03:04:05.1234567"'],
    wrong: wrongSpans,
  },
  {
    name: 'time(2)',
    on: [...postgres, ...mysql],
    column: 'time(2)',
    values: [same('03:04:05.12'), same('03:04:05')],
    beyond: ['"03:04:05.123"'],
    wrong: wrongSpans,
  },
  {
    name: 'time on MySQL',
    on: mysql,
    column: 'time',
    values: [
      same('00:00:00', '-00:00:00'),
      same('03:04:05', '3:04:05'),
      same('-00:00:01'),
      same('-800:00:01'),
      same('24:00:01'),
      same('838:59:59'),
      same('-838:59:59'),
    ],
    beyond: ['"839:00:00"', '"-839:00:00"', '"03:04:05.5"'],
    wrong: wrongSpans,
  },
  {
    name: 'time(6) on MySQL',
    on: mysql,
    column: 'time(6)',
    values: [same('-00:00:00.000001'), same('03:04:05.123456'), same('838:59:58.999999'), same('838:59:59')],
    beyond: ['"03:04:05.1234567"'],
    wrong: wrongSpans,
  },
  {
    name: 'time(6) on MariaDB',
    on: ['mariadb'],
    column: 'time(6)',
    values: [same('838:59:59.999999'), same('838:59:59'), same('-838:59:59.999999')],
    beyond: ['"839:00:00"'],
  },
  {
    name: 'interval',
    on: postgres,
    column: 'interval',
    values: [
      ["'1 day 2 hours'", '"1 day 02:00:00"', '"P1DT2H"', '"1 day 2 hours"'],
      same('00:00:00'),
      same('00:00:00.000001'),
      same('-1 years -2 mons +3 days -04:05:06'),
      same('178000000 years'),
    ],
    beyond: ['"00:00:00.0000001"'],
    wrong: ['"abc"', 'true'],
  },
  {
    name: 'interval(0)',
    on: postgres,
    column: 'interval(0)',
    values: [same('1 day 02:00:00')],
    beyond: ['"00:00:00.5"'],
    wrong: ['"abc"'],
  },
  {
    name: 'timetz',
    on: postgres,
    column: 'timetz',
    values: [same('03:04:05+02'), same('03:04:05.123456-05:30')],
    beyond: ['"03:04:05.1234567+02"'],
    wrong: ['"abc"', 'true'],
  },
];
