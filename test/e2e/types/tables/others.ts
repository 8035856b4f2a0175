import { type Family, postgres, same, text, type Value } from '../family.ts';

const id = '6d1b7b4e-0f5a-4a55-9b57-3d2d1a1f7e01';
const uuids: readonly Value[] = [
  same(id, id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`),
  same('00000000-0000-0000-0000-000000000000'),
  same('ffffffff-ffff-ffff-ffff-ffffffffffff'),
];
const wrong = ['"abc"', 'true', '" "'];

export const others: readonly Family[] = [
  { name: 'uuid', on: postgres, column: 'uuid', values: uuids, wrong: [...wrong, '5', text(`${id}0`)] },
  { name: 'uuid on MariaDB', on: ['mariadb'], column: 'uuid', values: uuids, wrong: [...wrong, '5', text(`${id}0`)] },
  {
    name: 'inet',
    on: postgres,
    column: 'inet',
    values: [
      same('10.0.0.1', '10.0.0.1/32'),
      same('10.0.0.0/8'),
      same('::1'),
      same('2001:db8::/32', '2001:DB8:0::/32'),
    ],
    wrong: [...wrong, '"10.0.0.256"', '"10.0.0.1/33"', '5'],
  },
  {
    name: 'cidr',
    on: postgres,
    column: 'cidr',
    values: [same('10.0.0.0/8', '10/8'), same('::/0')],
    // To `=` it is an address, which equals no network.
    absent: ['"10.0.0.1/8"'],
    unwritable: ['"10.0.0.1/8"'],
    wrong,
  },
  {
    name: 'macaddr',
    on: postgres,
    column: 'macaddr',
    values: [same('08:00:2b:01:02:03', '08-00-2B-01-02-03', '08002b010203')],
    wrong: [...wrong, '"08:00:2b:01:02"'],
  },
  { name: 'macaddr8', on: postgres, column: 'macaddr8', values: [same('08:00:2b:01:02:03:04:05')], wrong },
  {
    name: 'inet4 on MariaDB',
    on: ['mariadb'],
    column: 'inet4',
    values: [same('10.0.0.1'), same('255.255.255.255'), same('0.0.0.0')],
    wrong: [...wrong, '"10.0.0.256"', '"10.0.0"', '"::1"', '5'],
  },
  {
    name: 'inet6 on MariaDB',
    on: ['mariadb'],
    column: 'inet6',
    values: [same('::1', '0:0:0:0:0:0:0:1'), same('2001:db8::ff00:42:8329', '2001:DB8::FF00:42:8329'), same('::')],
    wrong: [...wrong, '"10.0.0.256"', '":::"', '5', '"1::2::3"'],
  },
  {
    name: 'money',
    on: postgres,
    column: 'money',
    values: [
      same('$1.50', '1.5', '1.50'),
      same('-$92,233,720,368,547,758.08'),
      same('$0.00'),
      ["'1234567.89'", '"$1,234,567.89"', '1234567.89'],
    ],
    beyond: ['1.505', '"$1.505"'],
    wrong,
  },
  {
    name: 'int4range',
    on: postgres,
    column: 'int4range',
    values: [same('[1,5)', '[1,4]', '(0,5)'), same('empty')],
    wrong,
  },
  {
    name: 'domain over integer',
    on: postgres,
    before: 'CREATE DOMAIN positive AS integer CHECK (VALUE > 0);',
    column: 'positive',
    values: [
      ['1', '1', '"1"'],
      ['2147483647', '2147483647'],
    ],
    absent: ['-1', '0'],
    beyond: ['2147483648', '1.5'],
    wrong,
  },
  {
    name: 'domain over domain over varchar(3)',
    on: postgres,
    before: `CREATE DOMAIN code AS varchar(3); CREATE DOMAIN letters AS code CHECK (VALUE ~ '^[A-Z]*$');`,
    column: 'letters',
    values: [same('ABC'), same('')],
    absent: ['"abc"'],
    beyond: ['"ABCD"'],
    blank: true,
  },
  {
    name: 'domain over numeric(4,1)',
    on: postgres,
    before: 'CREATE DOMAIN degrees AS numeric(4,1);',
    column: 'degrees',
    values: [
      ['36.6', '36.6', '36.60'],
      ['-273.0', '-273.0', '-273'],
    ],
    beyond: ['36.65', '1000'],
    wrong,
  },
  {
    name: 'domain over text[]',
    on: postgres,
    before: 'CREATE DOMAIN tags AS text[] CHECK (cardinality(VALUE) < 3);',
    column: 'tags',
    values: [
      ["'{a,b}'", '["a","b"]'],
      ["'{}'", '[]'],
    ],
    lists: true,
    wrong: ['5'],
  },
  {
    name: 'domain over timestamptz(0)',
    on: postgres,
    before: 'CREATE DOMAIN moment AS timestamptz(0);',
    column: 'moment',
    values: [["'2020-01-02 03:04:05+00'", '"2020-01-02T03:04:05+00:00"']],
    beyond: ['"2020-01-02T03:04:05.5Z"'],
    wrong: ['"abc"'],
  },
];
