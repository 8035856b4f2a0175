/** Interpolates values into SQL, and refuses statements above max_allowed_packet. */
import mysql2 from 'mysql2';
import type { Statement } from '../../../model/rows.ts';

/** In characters. Shorter statements fit into 1 MB, in practice the smallest max_allowed_packet. */
export const large = 250_000;

/**
 * Whether to bind a value in a prepared statement instead of interpolating it: escaping could double its size, and ten million quotes
 * take a second to escape. Only for writes, because prepared statements return rows in the binary protocol.
 */
export const isLong = (value: Statement['values'][number]): boolean => value !== null && value.length > large;

/** Interpolates the values of a statement into its SQL. */
export function sqlOf(client: Pick<mysql2.Connection, 'format'>, { text, values }: Statement): string {
  const parts = text.split('?');
  // A name or literal in the SQL contains a question mark. The driver's slower `format` can tell it from a placeholder.
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
  typeof value === 'string' && value.length > maxDriverEscape ? quoted(value) : mysql2.escape(value);

/** In characters. The driver escapes shorter strings, and `quoted` longer ones. */
const maxDriverEscape = 100;

/**
 * A string literal, for sessions in which a backslash escapes. The driver's own `escape` tests each character: four times as slow.
 */
function quoted(text: string): string {
  const escaped = text.includes('\\') ? text.split('\\').join('\\\\') : text;
  return `'${escaped.includes("'") ? escaped.split("'").join("''") : escaped}'`;
}

/** A Uint8Array that is no Buffer would be bound as an object by the driver. */
export const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Upper bound for the size of the packet that binds these values, with a type and a length for each. */
export const boundBytes = (values: Statement['values']): number =>
  values.reduce((sum, value) => sum + 12 + (value === null ? 0 : Buffer.byteLength(value)), 20);

/** Refuses a statement above max_allowed_packet: the server would hang up, often before we can read its error. */
export async function refuseOversized(client: mysql2.Connection, bytes: number): Promise<void> {
  const [rows] = await client.promise().query({ sql: 'SELECT @@max_allowed_packet', rowsAsArray: true });
  const limit = Array.isArray(rows) && Array.isArray(rows[0]) ? Number(rows[0][0]) : Number.POSITIVE_INFINITY;
  if (bytes < limit) return;
  throw Object.assign(new Error(`a statement of ${bytes} bytes is over max_allowed_packet`), { errno: 1153 });
}
