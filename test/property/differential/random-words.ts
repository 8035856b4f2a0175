/** The kinds of random expressions, and the words that they are made of. */
export const kinds = ['int', 'decimal', 'float', 'text', 'bool', 'time', 'date'] as const;
export type Kind = (typeof kinds)[number];
/** The fields that an expression may use, by their kinds. */
export type Fields = Readonly<Record<Kind, readonly string[]>>;

export const constants: Fields = {
  int: ['0', '1', '3', '-2', '10', '100', '-7', 'NULL::integer', "CAST('12' AS integer)"],
  decimal: [
    '2.5',
    '0.001',
    '-0.5',
    '10.00',
    '0.0',
    '99.999999',
    'NULL::numeric(10, 2)',
    "CAST('1.50' AS numeric(6, 2))",
  ],
  float: ['CAST(0.5 AS double precision)', "'2.5'::float8", '3::float8'],
  text: ["'a'", "''", "'North'", "'é'", "'a '", "'100%'", "'ss'", "'😀'", 'NULL::text'],
  bool: ['true', 'false', 'NULL::boolean', '(1 = 1)'],
  time: ["TIMESTAMP '2024-03-31 23:59:59.5'", "CAST('2024-02-29' AS timestamp)"],
  date: ["DATE '2024-02-29'", "'2024-05-01'::date"],
};
export const patterns = [
  'a%',
  '%1',
  'n_%',
  '%o%',
  'N%',
  '100\\%',
  '_',
  '',
  '%',
  '%ß%',
  '%E',
  'é',
  '%\\_%',
  '_ ',
  '%s_',
];
export const units = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'];
export const parts = ['year', 'quarter', 'month', 'week', 'day', 'dow', 'isodow', 'doy', 'hour', 'minute'];
export const formats = ['YYYY-MM', 'DD.MM.YYYY', 'HH24:MI:SS', 'YYYY "year"', '"a%Yb" MM', 'MM/YYYY HH24'];
export const intervals = [
  '1 day',
  '7 days',
  '1 month',
  '2 years',
  '36 hours',
  '90 minutes',
  '-1 month',
  '13 months 2 days',
];
export const comparisons = ['=', '<>', '<', '<=', '>', '>='];
