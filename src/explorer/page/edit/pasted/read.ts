/** A pasted text → rows of values. In steps: the page rests between them. */
import { isObject, type JsonObject, parse } from '../../ask/json.ts';
import { type Cell, delimiterOf, rowsOf } from './lines.ts';
import { objectsOf } from './objects.ts';
import { Unreadable } from './unreadable.ts';

export interface Pasted {
  /** The names of the first line, or those of the objects' members. */
  readonly names: readonly string[];
  /** Cells in the order of the names, or objects. */
  readonly rows: readonly PastedRow[];
}

/** A cell is a text whose meaning depends on its column; a value of an object says what it is. */
export type PastedRow = readonly Cell[] | JsonObject;

/** What one call takes. */
export interface Most {
  readonly bytes: number;
  readonly records: number;
}

/** More names than a table has columns. */
const mostNames = 5000;

/**
 * Reads JSON, or else lines whose first has the names.
 * @throws Unreadable
 */
export function* readPasted(text: string, most: Most): Generator<void, Pasted> {
  // A character has at least one byte.
  if (text.length > most.bytes) throw new Unreadable({ is: 'tooLarge', most: most.bytes });
  const pasted = /^[\ufeff\s]*[[{]/.test(text) ? yield* fromObjects(text, most) : yield* fromLines(text, most);
  if (pasted.rows.length === 0) throw new Unreadable({ is: 'noRows' });
  return pasted;
}

function* fromLines(text: string, most: Most): Generator<void, Pasted> {
  let names: readonly string[] | null = null;
  const rows: (readonly Cell[])[] = [];
  for (const cells of rowsOf(text, delimiterOf(text))) {
    if (names === null) names = cells.map((cell) => cell ?? '');
    else rows.push(cells);
    bound(rows, most);
    yield;
  }
  return { names: names ?? [], rows };
}

function* fromObjects(text: string, most: Most): Generator<void, Pasted> {
  const names = new Set<string>();
  const rows: JsonObject[] = [];
  for (const { text: written, line } of objectsOf(text)) {
    const row = objectIn(written, line);
    for (const name of Object.keys(row)) names.add(name);
    if (names.size > mostNames) throw new Unreadable({ is: 'tooManyCells', line });
    rows.push(row);
    bound(rows, most);
    yield;
  }
  return { names: [...names], rows };
}

function objectIn(written: string, line: number): JsonObject {
  try {
    const value = parse(written);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new Unreadable({ is: 'noObject', line });
}

function bound(rows: readonly unknown[], most: Most): void {
  if (rows.length > most.records) throw new Unreadable({ is: 'tooManyRows', most: most.records });
}

/** Milliseconds of work after which the page may react. */
const slice = 12;

/** Does work in slices. Throws what it throws, and an AbortError when it was abandoned. */
export async function inSlices<T>(work: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const until = performance.now() + slice;
    while (performance.now() < until) {
      const step = work.next();
      if (step.done === true) return step.value;
    }
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
}
