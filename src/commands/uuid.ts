import { createHash } from 'node:crypto';
import type { TableName } from '../model/catalog.ts';

/** The namespace of our ids: a random UUID, which must never change. */
const namespace = Buffer.from('6f0d5c1ad9f84e0fa0c1f1f8f2a7b3de', 'hex');

/** The version 5 UUID (RFC 9562 5.5) of a table. It depends on names alone, so it is the same on every machine. */
export function uuidOf(database: string, { schema, name }: TableName): string {
  const hash = createHash('sha1')
    .update(namespace)
    .update(JSON.stringify([database, schema, name]))
    .digest();
  const bytes = hash.subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
