/** The text of a statement with its values, and the packets that it takes. */
import mysql2 from 'mysql2';
import type { Statement } from '../../../model/rows.ts';

/** Characters. Shorter statements fit into the smallest limit in use (1 MB, once the default). */
export const large = 250_000;

/**
 * A longer value is bound by the server. Escaped, it may have twice as many bytes, and escaping takes a second per ten million
 * quotes. The result rows of a prepared statement use another protocol, so only writes are run so.
 */
export const isLong = (value: Statement['values'][number]): boolean => value !== null && value.length > large;

/** The statement with its values. */
export function sqlOf(client: Pick<mysql2.Connection, 'format'>, { text, values }: Statement): string {
  const parts = text.split('?');
  // A name or a literal of the text has a mark, too. The driver tells them apart, by a look at each character.
  if (parts.length !== values.length + 1)
    return client.format(
      text,
      values.map((value) => mysql2.raw(literal(value))),
    );
  let sql = parts[0] ?? '';
  for (let nth = 0; nth < values.length; nth++) sql += literal(values[nth] ?? null) + parts[nth + 1];
  return sql;
}

const literal = (value: Statement['values'][number]): string =>
  typeof value === 'string' && value.length > short ? quoted(value) : mysql2.escape(value);

/** Characters. */
const short = 100;

/**
 * A literal where the session's mode lets a backslash escape. The driver tests each character, which takes four times as long.
 */
function quoted(text: string): string {
  const escaped = text.includes('\\') ? text.split('\\').join('\\\\') : text;
  return `'${escaped.includes("'") ? escaped.split("'").join("''") : escaped}'`;
}

/** The driver takes other byte arrays for an object. */
export const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Bytes of the packet that binds values: each has a type and a length, too. */
export const boundBytes = (values: Statement['values']): number =>
  values.reduce((sum, value) => sum + 12 + (value === null ? 0 : Buffer.byteLength(value)), 20);

/** A statement over its limit makes the server hang up, often before its own refusal can be read. We refuse it first. */
export async function refuseOversized(client: mysql2.Connection, bytes: number): Promise<void> {
  const [rows] = await client.promise().query({ sql: 'SELECT @@max_allowed_packet', rowsAsArray: true });
  const limit = Array.isArray(rows) && Array.isArray(rows[0]) ? Number(rows[0][0]) : Number.POSITIVE_INFINITY;
  if (bytes < limit) return;
  throw Object.assign(new Error(`a statement of ${bytes} bytes is over max_allowed_packet`), { errno: 1153 });
}
