import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDate, parseSpan, parseTimestamp } from '../../../src/values/datetime.ts';

const mysql = { digits: 6, zoned: false, infinite: false };
const postgres = { digits: 6, zoned: false, infinite: true };
const zoned = { digits: 6, zoned: true, infinite: true };
const instant = fc.date({
  min: new Date('0002-01-01T00:00:00Z'),
  max: new Date('9998-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const micros = fc.integer({ min: 0, max: 999_999 });
/** A moment in the format `2020-01-02 03:04:05`. */
const seconds = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ');
const fraction = (of: number) => String(of).padStart(6, '0');

describe('a timestamp', () => {
  test('keeps every digit of its fraction but trailing zeros, on every engine', () => {
    fc.assert(
      fc.property(
        instant,
        micros,
        fc.constantFrom(' ', 'T', 't'),
        fc.constantFrom('', 'Z', 'z'),
        (at, of, separator, zone) => {
          const expected = `${seconds(at)}.${fraction(of)}`.replace(/\.?0*$/, '');
          const sent = `${seconds(at).replace(' ', separator)}.${fraction(of)}${zone}`;
          // A whole second loses only its point, not zeros before it.
          const stored = of === 0 ? seconds(at) : expected;
          expect([parseTimestamp(sent, mysql), parseTimestamp(sent, postgres)]).toEqual([stored, stored]);
        },
      ),
    );
  });

  test('with an offset is the same instant in UTC', () => {
    fc.assert(
      fc.property(instant, micros, fc.integer({ min: -15 * 60 - 59, max: 15 * 60 + 59 }), (at, of, offset) => {
        const local = new Date(at.getTime() + offset * 60_000);
        const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
          String(part).padStart(2, '0'),
        );
        const sent = `${seconds(local)}.${fraction(of)}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
        const storedFraction = of === 0 ? '' : `.${fraction(of)}`.replace(/0+$/, '');
        expect(parseTimestamp(sent, zoned)).toBe(`${seconds(at)}${storedFraction}+00`);
      }),
    );
  });

  test.each([
    ['2020-01-02', '2020-01-02 00:00:00'],
    ['2020-01-02T03:04', '2020-01-02 03:04:00'],
    [' 2020-01-02T03:04:05.500Z ', '2020-01-02 03:04:05.5'],
    ['2020-1-2', '2020-01-02 00:00:00'],
    ['2020-2-9 5:07', '2020-02-09 05:07:00'],
    ['2020-12-9T5:7:3.50', '2020-12-09 05:07:03.5'],
    [' 2020-2-09t0:0:0z ', '2020-02-09 00:00:00'],
    ['2024-02-29', '2024-02-29 00:00:00'],
    ['2000-02-29', '2000-02-29 00:00:00'],
    ['9999-12-31T23:59:59.999999', '9999-12-31 23:59:59.999999'],
  ])('%s is %s', (sent, expected) => {
    expect([parseTimestamp(sent, mysql), parseTimestamp(sent, postgres)]).toEqual([expected, expected]);
  });

  test.each([
    ...[
      '',
      'now',
      'yesterday',
      '2020',
      '202-1-2',
      '2020-1-002',
      '2020-1',
      '20200102',
      '31/12/2020',
      '2020-13-01',
      '2020-02-30',
      '2023-02-29',
      '1900-02-29',
    ],
    ...[
      '2020-01-02T',
      '2020-01-02T24:00',
      '2020-01-02T23:60',
      '2020-01-02T23:59:60',
      '2020-01-02 3',
      '2020-01-02 3:004',
      '2020-01-02 3:04:005',
      '2020-1-2 24:0',
      '2020-01-02X03:04',
      '2020-01-02T03:04:05.',
    ],
    // A column without a time zone would lose the offset.
    ...[
      '2020-01-02T03:04:05+02:00',
      '2020-01-02T03:04:05+00:00',
      '2020-01-02T03:04:05 Europe/Kyiv',
      '2020-01-02T03:04:05Zulu',
    ],
  ])('%j is none on a column without a zone', (sent) => {
    expect([parseTimestamp(sent, mysql), parseTimestamp(sent, postgres)]).toEqual([null, null]);
  });

  test.each([
    '2020-01-02T03:04+2:5',
    '2020-01-02T03:04+02:60',
    '2020-01-02T03:04+16:00',
    '2020-01-02T03:04 +02:00',
    '2020-01-02T03:04UTC',
  ])('%j has no offset that we know', (sent) => {
    expect(parseTimestamp(sent, zoned)).toBeNull();
  });

  test('more digits than the column keeps are another error than wrong text', () => {
    expect(parseTimestamp('2020-01-02T03:04:05.1234', { ...mysql, digits: 3 })).toBe('digits');
    expect(parseTimestamp('2020-01-02T03:04:05.1230000', { ...mysql, digits: 3 })).toBe('2020-01-02 03:04:05.123');
    expect(parseTimestamp('2020-01-02T03:04:05.0000001', mysql)).toBe('digits');
  });

  test('what only one engine has', () => {
    const both = (sent: string) => [parseTimestamp(sent, mysql), parseTimestamp(sent, postgres)];
    expect(both('infinity')).toEqual(['beyond', 'infinity']);
    expect(both('-Infinity')).toEqual(['beyond', '-infinity']);
    expect(both('0044-03-15 BC')).toEqual(['beyond', '0044-03-15 00:00:00 BC']);
    expect(both('10000-01-01')).toEqual(['beyond', '10000-01-01 00:00:00']);
    expect(both('294277-01-01')).toEqual(['beyond', 'beyond']);
    expect(both('4714-11-24 BC')).toEqual(['beyond', '4714-11-24 00:00:00 BC']);
    expect(both('4714-11-23 BC')).toEqual(['beyond', 'beyond']);
    expect(both('0000-00-00')).toEqual(['beyond', 'beyond']);
    // In MySQL, zeros mean an unknown month or day.
    expect(both('2020-00-00')).toEqual(['2020-00-00 00:00:00', 'beyond']);
    expect([both('0000-0-0'), both('2020-0-0'), both('12020-2-9')]).toEqual([
      ...[
        ['beyond', 'beyond'],
        ['2020-00-00 00:00:00', 'beyond'],
        ['beyond', '12020-02-09 00:00:00'],
      ],
    ]);
    expect(both('2020-01-00 00:00:00')).toEqual(['2020-01-00 00:00:00', 'beyond']);
  });
});

describe('a date', () => {
  test('may be written with a midnight, and with no other time', () => {
    expect(
      ['2020-01-02', '2020-01-02T00:00:00.000Z', '2020-01-02 00:00'].map((sent) => parseDate(sent, false)),
    ).toEqual([...['2020-01-02', '2020-01-02', '2020-01-02']]);
    expect(parseDate('2020-01-02T00:00:01', false)).toBe('beyond');
    expect(parseDate('2020-01-02T00:00:00.0000001', true)).toBe('beyond');
  });

  test.each([
    ['infinity', 'beyond', 'infinity'],
    ['0044-03-15 BC', 'beyond', '0044-03-15 BC'],
    ['5874897-12-31', 'beyond', '5874897-12-31'],
    ['5874898-01-01', 'beyond', 'beyond'],
    ['0001-01-01', '0001-01-01', '0001-01-01'],
    ['2020-02-30', null, null],
    ['tomorrow', null, null],
  ])('%s is %s on MySQL, %s on PostgreSQL', (sent, onMysql, onPostgres) => {
    expect([parseDate(sent, false), parseDate(sent, true)]).toEqual([onMysql, onPostgres]);
  });
});

describe('a time', () => {
  const day = { digits: 6, span: false };
  const span = { digits: 6, span: true };

  test.each([
    ['03:04', '03:04:00', '03:04:00'],
    ['3:04:05', '03:04:05', '03:04:05'],
    ['23:59:59.999999', '23:59:59.999999', '23:59:59.999999'],
    ['03:04:05.500', '03:04:05.5', '03:04:05.5'],
    ['24:00:00', '24:00:00', '24:00:00'],
    ['24:00:00.000001', 'beyond', '24:00:00.000001'],
    ['24:00:01', 'beyond', '24:00:01'],
    ['838:59:59', 'beyond', '838:59:59'],
    ['838:59:59.000001', 'beyond', 'beyond'],
    ['839:00:00', 'beyond', 'beyond'],
    ['-838:59:59', 'beyond', '-838:59:59'],
    ['-00:00:00', 'beyond', '00:00:00'],
    ['-00:00:00.5', 'beyond', '-00:00:00.5'],
    ['03:04:05.1234567', 'digits', 'digits'],
    ['03:60', null, null],
    ['03:04:60', null, null],
    ['3', null, null],
    ['03:04 pm', null, null],
    ['03:04:05+02', null, null],
  ])('%s is %s of a day, %s as a duration', (sent, ofDay, duration) => {
    expect([parseSpan(sent, day), parseSpan(sent, span)]).toEqual([ofDay, duration]);
  });
});
