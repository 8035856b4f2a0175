import type { ErrorKind } from '../../model/catalog.ts';
import { member } from '../member.ts';

type Plain = Exclude<
  ErrorKind['kind'],
  'duplicate' | 'null' | 'missing reference' | 'still referenced' | 'value' | 'unreadable'
>;

/** Server error numbers → meaning (MySQL and MariaDB reference manuals). */
const numbers: ReadonlyMap<string, Plain> = new Map(
  Object.entries({
    check: '3819 4025 1369 1526',
    // 1442: a trigger would change its own table. 1643: a SIGNAL with a NOT FOUND condition.
    trigger: '1442 1643 1644',
    retry: '1205 1213 1020 1689',
    timeout: '1969 3024 1907',
    // 1267, 1270, 1271: collations that can no longer be mixed. 1305, 1318: a function was dropped. 1412: the table was altered after the
    // transaction began. The others: a function or trigger has a definition that cannot run.
    schema:
      '1054 1146 1049 1109 1191 1267 1270 1271 1305 1318 1412 1050 1137 1231 1241 1321 1325 1326 1336 1415 1422 1424 1436 1456 1645',
    // 1356: a table or column below the view is gone. 1449: the definer of the view no longer exists.
    'broken view': '1356 1449',
    permission: '1044 1045 1142 1143 1227 1370 1698',
    // 1467, 4084: an AUTO_INCREMENT or a sequence is exhausted.
    'read-only': '1290 1467 1792 1836 4084',
    // 1031, 1036: the table's storage engine does not support the write.
    'not writable': '1031 1036 1288 1471 1348 1393 1394 1395',
    // 1047: a Galera node that is cut off from its cluster refuses each statement before it runs. 3032: so does a server in offline
    // mode, such as one that has left its Group Replication group.
    busy: '1040 1047 1203 1226 3032',
    // 1317: a server that shuts down interrupts running statements. Our own interruptions never get here.
    connection: '1053 1077 1079 1080 1152 1158 1159 1160 1161 1317 1927 2006 2013 4031',
    'too large': '1118 1153',
  } satisfies Partial<Record<Plain, string>>).flatMap(([kind, codes]) =>
    codes.split(' ').map((code): [string, Plain] => [code, plain(kind)]),
  ),
);
/** MySQL has an error number for each mistake in a regular expression. */
const patterns = Array.from({ length: 15 }, (_, nth) => String(3685 + nth));
const values = new Set([
  ...'1059 1139 1172 1242 1264 1265 1292 1301 1329 1339 1366 1367 1406 1411 1416 1441 1525 1690 3140 3141 3156 3854 4037 4038 4041 4042 4078'.split(
    ' ',
  ),
  ...patterns,
]);

/**
 * Classifies a driver's error. From the message we read only names of columns and keys (used if the catalogue has them), the storage
 * engine's own error number, and whether an error without a number is about an XPath.
 */
export function classifyError(error: unknown): ErrorKind {
  const errno = member(error, 'errno') ?? '';
  const message = member(error, 'sqlMessage') ?? '';
  const capture = (pattern: RegExp) => pattern.exec(message)?.[1] ?? null;
  switch (errno) {
    case '1062':
    case '1586':
      return { kind: 'duplicate', constraint: capture(/for key '([\s\S]+)'$/)?.replace(/^[^.]+\./, '') ?? null };
    case '1022':
      return { kind: 'duplicate', constraint: null };
    // Storage engine error 149 in COMMIT: another node of the cluster changed the rows first. (Not after 3101: a member that leaves its
    // group reports it for all that it has sent, and some of that may be committed.)
    case '1180':
      return { kind: /^\D*149\b/.test(message) ? 'retry' : 'unknown' };
    // A wrong XPath has no error number of its own.
    case '1105':
      return /^XPATH/.test(message) ? { kind: 'value', column: null } : { kind: 'unknown' };
    case '1048':
      return { kind: 'null', column: capture(/^Column '([\s\S]+)' cannot be null/) };
    case '1364':
      return { kind: 'null', column: capture(/^Field '([\s\S]+)' doesn't have a default value/) };
    // An INSERT through a view: a base column that the view leaves out has no default.
    case '1423':
      return { kind: 'null', column: null };
    case '1216':
    case '1452':
      return { kind: 'missing reference', constraint: capture(/CONSTRAINT `([^`]+)`/) };
    case '1217':
    case '1451':
      return { kind: 'still referenced', constraint: capture(/CONSTRAINT `([^`]+)`/) };
  }
  const known = numbers.get(errno);
  if (known !== undefined) return { kind: known };
  const state = member(error, 'sqlState') ?? '';
  // SQLSTATE class 22: data exceptions.
  if (values.has(errno) || state.startsWith('22'))
    return {
      kind: 'value',
      column: capture(/for column (?:`[^`]*`\.`[^`]*`\.)?[`']([\s\S]+?)[`'] at row/),
      ...(errno === '1690' ? { isOverflow: true } : {}),
    };
  const code = member(error, 'code') ?? '';
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|PROTOCOL_)/.test(code))
    return { kind: 'connection' };
  if (errno === '' && /closed state/.test(member(error, 'message') ?? '')) return { kind: 'connection' };
  // SIGNAL can set any number, but the servers themselves use none above 4999.
  return { kind: state.startsWith('45') || Number(errno) >= 5000 ? 'trigger' : 'unknown' };
}

/** Narrows the type of a key, which `Object.entries` widens to string. */
function plain(kind: string): Plain {
  const kinds: readonly Plain[] = [
    'check',
    'trigger',
    'retry',
    'timeout',
    'schema',
    'broken view',
    'permission',
    'read-only',
    'not writable',
    'busy',
    'connection',
    'too large',
  ];
  return kinds.find((one) => one === kind) ?? 'unknown';
}
