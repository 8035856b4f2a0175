import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complaints, least, settings } from '../../support/loading.ts';

const written = (bus: string) => `${least}cache: { bus: ${bus} }`;
const busOf = (bus: string, env = {}, files = {}) => settings(written(bus), env, files).cache.bus;
const plain = {
  ...{ hosts: [{ host: 'h', port: 6379 }], sentinelName: null, user: null, password: null, database: 0, tls: null },
};
const verified = { ca: null, rejectUnauthorized: true };

describe('cache.bus', () => {
  test.each([
    ['redis://h', plain],
    ['redis://:p%40@h:7000/3', { ...plain, hosts: [{ host: 'h', port: 7000 }], password: 'p@', database: 3 }],
    [
      'rediss://u:a:b@[::1]',
      { ...plain, hosts: [{ host: '::1', port: 6379 }], user: 'u', password: 'a:b', tls: verified },
    ],
    [
      'redis+sentinel://u:p@a,b:7/main/2',
      {
        ...{ ...plain, user: 'u', password: 'p', database: 2, sentinelName: 'main' },
        hosts: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 7 },
        ],
      },
    ],
  ])('%s', (url, server) => {
    expect(busOf(`"${url}"`)).toEqual({ server, group: 'main', required: false });
    expect(busOf(`{ url: "${url}", group: other, required: true }`)).toEqual({
      server,
      group: 'other',
      required: true,
    });
  });

  test.each(['none', 'database'])('%s', (word) => expect(busOf(word)).toBe(word));

  test('takes a certificate authority from a file', () => {
    expect(busOf('{ url: "rediss://h", tls: { ca: ca.pem } }', {}, { '/ca.pem': 'PEM' })).toMatchObject({
      server: { tls: { ca: 'PEM', rejectUnauthorized: true } },
    });
  });

  test('fills in any password, percent-encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (password) => {
        for (const bus of [`"redis://u:\${P}@h"`, `{ url: "redis://u:\${P}@h" }`])
          expect(busOf(bus, { P: password })).toMatchObject({ server: { user: 'u', password } });
      }),
    );
  });

  const a = 'a URL such as redis://user:password@host:6379/0, with special characters percent-encoded';
  test.each([
    ['redsi', `bus (/my.yaml:4:10) must be none, database or ${a}, got: (hidden)`],
    [
      '5',
      'bus (/my.yaml:4:10) must be none, database, a URL such as redis://user:password@host:6379, or a mapping, got: (hidden)',
    ],
    ['"redis://u:secret@h/x"', 'a URL that ends in the number of a database, or in none'],
    ['"redis://u:secret@h/-1"', 'a URL that ends in the number of a database, or in none'],
    ['"redis://u:secret@h/1e3"', 'a URL that ends in the number of a database, or in none'],
    ['"redis://u:secret@h:0"', 'a URL with one host, such as'],
    ['"redis://u:secret@h,i"', 'a URL with one host, such as'],
    ['"redis://u:secret@i@h"', a],
    ['"redis://u:secret%zz@h"', 'a URL in which "%" stands before two hexadecimal digits'],
    ['"redis://u:secret@h/0?x=1"', a],
    ['"redis+sentinel://u:secret@h"', 'redis+sentinel://host:26379,host:26379/NAME'],
    [
      '{ url: "redis://u:secret@h", tls: {} }',
      'bus.url (/my.yaml:4:17) must be a URL that begins with rediss: where tls is given',
    ],
    [
      '{ url: "rediss://u:secret@h", tls: { ca: none.pem } }',
      'bus.tls.ca (/my.yaml:4:52) must be PEM text or a file that can be read',
    ],
    ['{ url: "redis://u:secret@h", grup: x }', 'bus.grup (/my.yaml:4:44) is not a setting; did you mean "group"?'],
    [
      '{ url: "redis://u:secret@h", group: "a b" }',
      'bus.group (/my.yaml:4:44) must be 1 to 64 letters, digits, _ . or -',
    ],
    ['{ group: x }', 'bus.url'],
  ])('%s is refused by its name, without its password', (bus, expected) => {
    const found = complaints(written(bus));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
    expect(found[0]).not.toContain('secret');
  });
});
