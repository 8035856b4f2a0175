/** Runs statements, and takes their results as a whole or as streams. */
import type pg from 'pg';
import type { Answer, JsonRowWriter, Statement } from '../../../model/rows.ts';
import type { Cell } from '../../../model/value.ts';
import { type Batch, type CopyChunk, type ResultRoom, roomForEach, TooLarge, weigh } from '../../connection/session.ts';
import { Flow } from '../flow.ts';
import { paceSocket } from '../socket.ts';
import { clientOf, socketOf } from './connection.ts';
import { CopyOut } from './copy-out.ts';
import type { PreparedStatements } from './prepared.ts';
import { RowQuery } from './row-query.ts';
import { texts, written } from './row-readers.ts';

/** Runs a statement. @param into receives the rows; the answer then contains none */
export function wholeResult(
  client: pg.Client,
  statement: Statement,
  prepared: PreparedStatements,
  room: ResultRoom,
  into?: JsonRowWriter,
): Promise<Answer> {
  const cells: (readonly Cell[])[] = [];
  const take = (row: readonly Cell[]) => {
    if (room.has(weigh(row))) cells.push(row);
  };
  const reader = into === undefined ? texts(take, room) : written(into, room);
  let stopPacing = () => {};
  return new Promise((resolve, reject) => {
    const query = new RowQuery(statement, prepared, reader, {
      failed(error) {
        stopPacing();
        reject(room.isOver ? new TooLarge() : error);
      },
      ended(answer) {
        stopPacing();
        if (room.isOver) reject(new TooLarge());
        else resolve({ cells, ...answer });
      },
    });
    client.query(query);
    stopPacing = paceSocket(socketOf(client));
  });
}

const asText = { getTypeParser: () => String };

/** Runs a statement whose answer is a few short cells, for which the driver's own reader is good enough. */
export async function shortResult(client: pg.Client, { text, values }: Statement): Promise<Answer> {
  const { rows, fields, rowCount } = await client.query<Cell[]>({
    text,
    values: [...values],
    rowMode: 'array',
    types: asText,
  });
  const [names, types]: [string[], string[]] = [[], []];
  for (const { name, dataTypeID } of fields) {
    names.push(name);
    types.push(String(dataTypeID));
  }
  return { cells: rows, names, types, found: rowCount ?? 0 };
}

/** Runs a statement, and yields its rows as they arrive. */
export async function* rowBatches(
  raw: unknown,
  statement: Statement,
  prepared: PreparedStatements,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const client = clientOf(raw);
  const flow = new Flow<readonly Cell[]>(socketOf(client), signal);
  const reader = texts((row) => flow.push(row, weigh(row)), roomForEach);
  const rows = new RowQuery(statement, prepared, reader, {
    failed: (error) => flow.fail(error),
    ended: () => flow.end(),
  });
  client.query(rows);
  for await (const cells of flow.taken()) yield { types: rows.types, cells };
}

/** Runs a COPY … TO STDOUT, and yields its bytes as they arrive. */
export async function* copiedBytes(raw: unknown, text: string, signal: AbortSignal): AsyncGenerator<CopyChunk> {
  const client = clientOf(raw);
  const flow = new Flow<CopyChunk>(socketOf(client), signal);
  client.query(new CopyOut(text, flow));
  for await (const chunks of flow.taken()) yield* chunks;
}
