/** Texts that an attacker, or an unlucky client, may send instead of a name or a value. */

const nul = String.fromCharCode(0);

/** A header that must not appear in any answer. */
export const injected = 'x-injected';

/** Payloads. None of them equals or is part of a value in the tables of `world.ts`. */
export const texts: readonly string[] = [
  // Quotes that end a literal, with SQL after them.
  ...["'", '"', '`', "''", "\\'", "\\\\'", "\\\\\\'", '\\', "'\\", '\\"', '``', "''''", '\\x27', '\\u0027'],
  ...["' OR '1'='1", "' OR 1=1 -- ", "' OR 1=1#", "') OR ('1'='1", '" OR ""="', '` OR 1=1 -- ', "\\' OR 1=1 -- "],
  ...["'; DROP TABLE films; --", '1; DELETE FROM films', "' UNION SELECT version() -- ", "' || version() || '"],
  ...["' AND sleep(9) AND '", "'; SELECT pg_sleep(9); --", 'pg_sleep(9)', '(SELECT 9)', 'CASE WHEN 1=1 THEN 1 END'],
  // Comments and separators, including those that only some servers know.
  ...['--', '-- -', '#', '/*', '*/', '/* x */', "/*! ' */", "/*M!100000 ' */", ';', ';;', '\\g', '\\;'],
  // Placeholders of drivers and query builders.
  ...['?', '??', '???', '$1', '$2', '$$', '$a$x$a$', ':name', ':1', '::text', '@@version', '@x', '%s', '%(x)s', '{0}'],
  // Wildcards and escape characters.
  ...['%', '_', '%%', '\\%', '|', '|%', '|_', '||', '*', '.*', '%00', '%27', '%2527', '&apos;'],
  // Characters at which some software truncates, or which it drops or rewrites.
  ...[nul, `x${nul}' OR 1=1`, `'${nul}'`, '\n', '\r\n', "a\n' OR 1=1", '\b', '\t', '\x1a', '\x7f', '\u0085', '\u2028'],
  ...['\ud800', "\udc00'", "\ud83d' OR 1=1", '\ufeff', '\u202e', '\u200b', '\ufffd', '\uffff', '🦔', "🦔'"],
  `x\r\n${injected}: yes\r\n\r\n<p>`,
  `x"\n${injected}: yes\n\n`,
  // URL escapes that are overlong, incomplete, not UTF-8, or invalid.
  ...[
    '%C0%AF',
    '%C0%80',
    '%E0%80%AF',
    '%ED%A0%80',
    '%F8%88%80%80%80',
    '%FF%FE',
    '%u0027',
    '%zz',
    '+%2B',
    '&',
    '=',
    'a=b&a=c',
  ],
  // Lead bytes of GBK, Big5 or Shift-JIS, which could swallow the backslash of an escape, and characters whose last byte is 0x5c.
  ...[
    "\u00bf'",
    "\u00bf\\'",
    "\u00bf\\' OR 1=1 -- ",
    "\u00df\\'",
    "縗'",
    "表'",
    "ソ' OR 1=1 -- ",
    "誠\\'",
    '¥',
    "¥' OR 1",
  ],
  // Characters that look like quotes and become real ones in a lossy conversion.
  ...['ʼ OR 1=1', '’', '‘ OR ‘1‘=‘1', '＇ OR 1=1', '“x”', '″', '＂', '｀', '⁄*', 'Ⅰ', 'K', 'ŉ', 'ß', 'ﬀ', 'i̇'],
  // Property names with a meaning in JavaScript.
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'then', 'toJSON'],
  // Words with a meaning in SQL.
  ...[
    'NULL',
    'DEFAULT',
    'NaN',
    '-Infinity',
    '1e999',
    '0x31',
    "X'31'",
    "b'1'",
    "E'\\x27'",
    "U&'\\0027'",
    'CURRENT_USER',
  ],
  ...['now', 'epoch', 'today', 'allballs', 'infinity', '-infinity', '24:00:01', '0000-00-00', '9999999-01-01', '-1 BC'],
  ...[
    '{',
    '{}',
    '{1,2}',
    '{"a",NULL}',
    '{{1},{2}}',
    '[0:1]={1,2}',
    '{"\ud800"}',
    `{"${nul}"}`,
    '{1,2',
    '(1,2)',
    '[1,2)',
  ],
  ...[
    'count(*)',
    'films.*',
    'a.b',
    't desc, version()',
    't asc nulls first; SELECT 1',
    't COLLATE "C"',
    't::text',
    '1'.repeat(400),
  ],
  ...[
    '../../etc/passwd',
    'file:///etc/passwd',
    '$' + '{jndi:ldap://x}',
    '<script>alert(1)</script>',
    '{"$gt":""}',
    '[]',
    'null',
  ],
  // Long texts.
  ...[
    "'".repeat(5000),
    '\\'.repeat(4999),
    `${'x'.repeat(60_000)}'`,
    '%'.repeat(3000),
    '('.repeat(3000),
    '🦔'.repeat(3000),
  ],
];

/** JSON values other than text: nested ones where a scalar is expected, and numbers that no engine can store. */
export const jsons: readonly string[] = [
  ...['{}', '[]', '[[]]', '[[1]]', '[{}]', '{"a":1}', '[[[[[[]]]]]]', '{"a":{"b":{"c":[]}}}'],
  ...[
    '{"toSqlString":"1 OR 1=1"}',
    '{"toJSON":"x"}',
    '{"toString":"x"}',
    '{"valueOf":1}',
    '{"length":1,"0":"x"}',
    '{"then":1}',
  ],
  ...[
    '{"toPostgres":"x"}',
    '{"rawType":"x","value":"1 OR 1=1"}',
    '{"type":"Buffer","data":[39,32,79,82]}',
    '{"sql":"1","bindings":[]}',
  ],
  ...[
    '{"isLosslessNumber":true,"value":"1 OR 1=1"}',
    '{"isLosslessNumber":true,"value":{"x":1},"n":3.140}',
    '{"encoders":[],"cells":[]}',
  ],
  ...[
    '{"__proto__":{"x":1}}',
    '{"__proto__":null,"n":3.140}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"":""}',
    '{"$gt":""}',
    '{"$or":[{}]}',
  ],
  ...[
    '[true]',
    'true',
    '["a","b"]',
    '[["\'"]]',
    '["\'",{"x":"\'"}]',
    '{"\'":"\'"}',
    '["\\ud800"]',
    '["\\u0000"]',
    '{"in":["\'"]}',
  ],
  ...[
    '1e400',
    '-1e400',
    '1e-400',
    '3.140',
    '-0.0',
    '99999999999999999999999999',
    '0.1e1',
    '1E+2',
    '123456789.123456789123456789',
  ],
  ...[
    '1e99999999',
    '-1e-99999999',
    `1${'0'.repeat(4000)}`,
    `0.${'0'.repeat(4000)}1`,
    `${'[1,'.repeat(20)}1${']'.repeat(20)}`,
    `${'['.repeat(40)}${']'.repeat(40)}`,
    '['.repeat(50_000),
    '{"a":1,"a":2}',
    '{"__proto__":1,"__proto__":1}',
    '9'.repeat(100_000),
    `{${Array.from({ length: 2000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  ],
];
