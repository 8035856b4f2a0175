/** Which fields of a table can be written, according to its OpenAPI document. */
import type { Column } from '../ask/columns.ts';
import { count, isObject, type JsonObject, list, object, text } from '../ask/json.ts';

export interface Field {
  readonly column: Column;
  readonly isKey: boolean;
  /** False for generated columns, and for columns that the configuration makes read-only. */
  readonly isWritable: boolean;
  readonly isNullable: boolean;
  /** The values of an `ENUM` or a boolean; null if the column takes any value. */
  readonly choices: readonly string[] | null;
}

export interface Writable {
  readonly fields: readonly Field[];
  /** The maximum number of records in one call. */
  readonly mostRecords: number;
}

/** @param document this one resource's OpenAPI document */
export function writableOf(
  { key, columns }: { readonly key: readonly string[]; readonly columns: readonly Column[] },
  document: JsonObject,
): Writable {
  const schemas = object(object(document.components).schemas);
  const schema = (ending: string): JsonObject =>
    object(Object.entries(schemas).find(([name]) => name.endsWith(ending))?.[1]);
  const members = object(schema('.written').properties);
  const { records } = object(schema('.datastore_upsert').properties);
  return {
    fields: columns.map((column) => fieldOf(column, key.includes(column.name), members)),
    mostRecords: count(object(records).maxItems),
  };
}

function fieldOf(column: Column, isKey: boolean, members: JsonObject): Field {
  const schema = Object.hasOwn(members, column.name) ? members[column.name] : undefined;
  const either = list(object(schema).anyOf);
  const values = either.map(object).find(({ enum: values }) => values !== undefined) ?? object(schema);
  const isChoice = column.type === 'text' && values.enum !== undefined;
  return {
    column,
    isKey,
    isWritable: isObject(schema) && schema.readOnly !== true,
    isNullable: either.some((one) => object(one).type === 'null'),
    choices: column.type === 'bool' ? ['true', 'false'] : isChoice ? list(values.enum).map(text) : null,
  };
}
