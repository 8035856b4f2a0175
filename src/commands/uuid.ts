import type { TableName } from '../model/catalog.ts';
import { uuid5 } from '../values/uuid5.ts';

/** The namespace for our ids: a random UUID, which must never change. */
const namespace = '6f0d5c1a-d9f8-4e0f-a0c1-f1f8f2a7b3de';

/** A table's UUID. It depends only on names, so it is the same on every machine. */
export const uuidOf = (database: string, { schema, name }: TableName): string =>
  uuid5(namespace, JSON.stringify([database, schema, name]));
