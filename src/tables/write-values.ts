/** What a write needs besides its dialect's statements: conversion of values, encoding of records, and refusals. */
import { rowsOf } from '../actions/query/columns.ts';
import { TooLarge } from '../execute/connection/session.ts';
import type { WriteDialect } from '../execute/write/write-dialect.ts';
import type { EditDialect } from '../model/dialect/edit.ts';
import type { ReadDialect } from '../model/dialect/read.ts';
import type { SessionDialect } from '../model/dialect/session.ts';
import { OutsideFlag, refusal } from '../model/errors.ts';
import type { Column } from '../model/table.ts';
import type { Cell } from '../model/value.ts';
import { records } from '../reply/envelope.ts';
import { Pieces } from '../reply/pieces.ts';
import { convert, identity } from '../values/convert.ts';
import { readJson, valueOrRefusal } from '../values/json.ts';
import { outsideFlag } from './outside-flag.ts';

/** Created once per connected server, because it holds no per-call state. Both limits are in bytes. */
export function writeDialectOf(
  dialect: EditDialect & ReadDialect & SessionDialect,
  maxStatementBytes: number,
  responseBytes: number,
): WriteDialect {
  const stored = (column: Column, cell: Cell) => {
    const shown = dialect.encoder(column).plain(cell);
    const { type } = column;
    // Arrays and JSON values are shown as JSON, so parse them first: as text, they would become JSON strings.
    const isJson = type.kind === 'array' || type.kind === 'json';
    const converted = shown === null ? null : convert(isJson ? valueOrRefusal(readJson(shown, Infinity)) : shown, type);
    return converted?.is === 'value' ? converted.value : null;
  };
  return {
    ...dialect,
    maxStatementBytes: maxStatementBytes / 2,
    stored,
    identity(column, cell) {
      const value = stored(column, cell);
      return value === null ? (dialect.encoder(column).plain(cell) ?? '') : identity(value, column.type);
    },
    identityOf: (column, value) => identity(value, column.type),
    responseBytes,
    *written(table, columns, cells) {
      const json = new Pieces();
      try {
        yield* records(rowsOf(columns, cells, dialect), 'objects', responseBytes, json);
      } catch (cause) {
        if (cause instanceof OutsideFlag) throw outsideFlag(table, columns, cells, dialect) ?? cause;
        throw new TooLarge('the records that were asked for', { cause });
      }
      const all = yield* json.joined();
      return typeof all === 'string' ? Buffer.from(all) : all;
    },
    refuse: (meaning, table, row, cause) =>
      ['unknown', 'connection', 'timeout'].includes(meaning.kind) ? null : refusal(meaning, table, row, cause),
  };
}
