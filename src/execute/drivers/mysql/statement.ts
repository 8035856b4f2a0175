/** The text of a statement with its values in it, and the size of its packets. */
import mysql2 from 'mysql2';
import type { Statement } from '../../../model/rows.ts';

/** In characters. Shorter statements fit even into 1 MB, the smallest max_allowed_packet in use. */
export const large = 250_000;

/**
 * Whether to send a value apart from the text of its statement, which is then prepared. Escaped, it could have twice as many bytes,
 * and ten million quotes take a second to escape. Only for writes: a prepared statement returns rows in the binary protocol.
 */
export const isLong = (value: Statement['values'][number]): boolean => value !== null && value.length > large;

/** Puts the values of a statement into its text. */
export function sqlOf(client: Pick<mysql2.Connection, 'format'>, { text, values }: Statement): string {
  const parts = text.split('?');
  // A name or literal in the text contains a question mark, too. The driver's slower `format` tells it from a placeholder.
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

/** In characters: longer texts are escaped by `quoted`. */
const maxDriverEscape = 100;

/**
 * A string literal, for sessions in which a backslash escapes. The driver's own `escape` tests each character: four times as slow.
 */
function quoted(text: string): string {
  const escaped = text.includes('\\') ? text.split('\\').join('\\\\') : text;
  return `'${escaped.includes("'") ? escaped.split("'").join("''") : escaped}'`;
}

/** The driver binds a Uint8Array that is no Buffer as an object. */
export const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Upper bound of the packet that binds values, each of which also has a type and a length. */
export const boundBytes = (values: Statement['values']): number =>
  values.reduce((sum, value) => sum + 12 + (value === null ? 0 : Buffer.byteLength(value)), 20);

/** Refuses a statement above max_allowed_packet: the server would hang up, often before we can read its error. */
export async function refuseOversized(client: mysql2.Connection, bytes: number): Promise<void> {
  const [rows] = await client.promise().query({ sql: 'SELECT @@max_allowed_packet', rowsAsArray: true });
  const limit = Array.isArray(rows) && Array.isArray(rows[0]) ? Number(rows[0][0]) : Number.POSITIVE_INFINITY;
  if (bytes < limit) return;
  throw Object.assign(new Error(`a statement of ${bytes} bytes is over max_allowed_packet`), { errno: 1153 });
}
