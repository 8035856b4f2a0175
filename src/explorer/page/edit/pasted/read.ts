/** Parses a pasted text into rows. It uses generators, so that the page can pause the work. */
import { isObject, type JsonObject, parse } from '../../ask/json.ts';
import { type Cell, delimiterOf, rowsOf } from './lines.ts';
import { objectsOf } from './objects.ts';
import { Unreadable } from './unreadable.ts';

export interface Pasted {
  /** The names in the first line, or all objects' member names. */
  readonly names: readonly string[];
  /** Lists of cells in the order of `names`, or objects. */
  readonly rows: readonly PastedRow[];
}

/** A CSV cell gets its meaning from its column's type, but a JSON value already has a type. */
export type PastedRow = readonly Cell[] | JsonObject;

/** One call's limits. */
export interface CallLimits {
  readonly bytes: number;
  readonly records: number;
}

/** More names than any table has columns: a guard against objects that are not records. */
const maxNames = 5000;

/**
 * Parses JSON if the text begins like it, else CSV or TSV with names in the first line.
 * @throws Unreadable
 */
export function* readPasted(text: string, most: CallLimits): Generator<void, Pasted> {
  // A character takes at least one byte, so this never refuses a text that fits.
  if (text.length > most.bytes) throw new Unreadable({ is: 'tooLarge', most: most.bytes });
  const pasted = /^[\ufeff\s]*[[{]/.test(text) ? yield* fromObjects(text, most) : yield* fromLines(text, most);
  if (pasted.rows.length === 0) throw new Unreadable({ is: 'noRows' });
  return pasted;
}

function* fromLines(text: string, most: CallLimits): Generator<void, Pasted> {
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

function* fromObjects(text: string, most: CallLimits): Generator<void, Pasted> {
  const names = new Set<string>();
  const rows: JsonObject[] = [];
  for (const { text: written, line } of objectsOf(text)) {
    const row = objectIn(written, line);
    for (const name of Object.keys(row)) names.add(name);
    if (names.size > maxNames) throw new Unreadable({ is: 'tooManyCells', line });
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
    // Both failures throw the same error below.
  }
  throw new Unreadable({ is: 'noObject', line });
}

function bound(rows: readonly unknown[], most: CallLimits): void {
  if (rows.length > most.records) throw new Unreadable({ is: 'tooManyRows', most: most.records });
}

/** After this many milliseconds of work, the page may handle events. */
const slice = 12;

/** Runs a generator in slices. Throws what it throws, or an AbortError if the signal aborted it. */
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
