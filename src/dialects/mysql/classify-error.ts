import type { ErrorKind } from '../../model/catalog.ts';
import { member } from '../member.ts';

type Plain = Exclude<ErrorKind['kind'], 'duplicate' | 'null' | 'missing reference' | 'still referenced' | 'value'>;

/** Server error numbers → meaning (MySQL and MariaDB reference manuals). */
const numbers: ReadonlyMap<string, Plain> = new Map(
  Object.entries({
    check: '3819 4025 1369 1526',
    trigger: '1644',
    retry: '1213 1020 1689',
    timeout: '1969 3024 1907',
    // 1267, 1270, 1271: collations that no longer go together. 1305, 1356: a view lacks what it reads. 1412: the table was altered
    // since the transaction began.
    schema: '1054 1146 1049 1109 1191 1267 1270 1271 1305 1356 1412',
    // 1449: the view's definer, whose rights it has, is no user.
    permission: '1044 1045 1142 1143 1227 1370 1449 1698',
    'read-only': '1290 1792 1836',
    'not writable': '1288 1471 1348 1393 1394 1395',
    busy: '1040 1203 1226',
    // 1317: a server that shuts down interrupts what runs; our own interruptions never come here.
    connection: '1053 1077 1079 1080 1152 1158 1159 1160 1161 1317 1927 2006 2013 4031',
    'too large': '1118 1153',
  } satisfies Partial<Record<Plain, string>>).flatMap(([kind, codes]) =>
    codes.split(' ').map((code): [string, Plain] => [code, plain(kind)]),
  ),
);
const values = new Set('1264 1265 1292 1366 1367 1406 1411 1416 1441 1525 3140 3141 3156 3854 4078'.split(' '));

/**
 * A driver error → what it means. Only the name of a column or key is read from the message, and only a name in the catalogue is
 * used.
 */
export function classifyError(error: unknown): ErrorKind {
  const errno = member(error, 'errno') ?? '';
  const message = member(error, 'sqlMessage') ?? '';
  const named = (pattern: RegExp) => pattern.exec(message)?.[1] ?? null;
  switch (errno) {
    case '1062':
    case '1586':
      return { kind: 'duplicate', constraint: named(/for key '([\s\S]+)'$/)?.replace(/^[^.]+\./, '') ?? null };
    case '1022':
      return { kind: 'duplicate', constraint: null };
    case '1205':
      return { kind: 'retry', ofLock: true };
    case '1048':
      return { kind: 'null', column: named(/^Column '([\s\S]+)' cannot be null/) };
    case '1364':
      return { kind: 'null', column: named(/^Field '([\s\S]+)' doesn't have a default value/) };
    // A column that the view does not show.
    case '1423':
      return { kind: 'null', column: null };
    case '1216':
    case '1452':
      return { kind: 'missing reference', constraint: named(/CONSTRAINT `([^`]+)`/) };
    case '1217':
    case '1451':
      return { kind: 'still referenced', constraint: named(/CONSTRAINT `([^`]+)`/) };
  }
  const known = numbers.get(errno);
  if (known !== undefined) return { kind: known };
  if (values.has(errno))
    return { kind: 'value', column: named(/for column (?:`[^`]*`\.`[^`]*`\.)?[`']([\s\S]+?)[`'] at row/) };
  const code = member(error, 'code') ?? '';
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|PROTOCOL_)/.test(code))
    return { kind: 'connection' };
  if (errno === '' && /closed state/.test(member(error, 'message') ?? '')) return { kind: 'connection' };
  return { kind: 'unknown' };
}

/** Narrows a key of the table above, which `Object.entries` widens. */
function plain(kind: string): Plain {
  const kinds: readonly Plain[] = [
    'check',
    'trigger',
    'retry',
    'timeout',
    'schema',
    'permission',
    'read-only',
    'not writable',
    'busy',
    'connection',
    'too large',
  ];
  return kinds.find((one) => one === kind) ?? 'unknown';
}
