/** Parses a pasted text into rows. Generators, so that the page can pause the work. */
import { isObject, type JsonObject, parse } from '../../ask/json.ts';
import { type Cell, delimiterOf, rowsOf } from './lines.ts';
import { objectsOf } from './objects.ts';
import { Unreadable } from './unreadable.ts';

export interface Pasted {
  /** The names in the first line, or the member names of all objects. */
  readonly names: readonly string[];
  /** Lists of cells in the order of `names`, or objects. */
  readonly rows: readonly PastedRow[];
}

/** The meaning of a CSV cell depends on the type of its column, while JSON values have types of their own. */
export type PastedRow = readonly Cell[] | JsonObject;

/** The limits of one call. */
export interface CallLimits {
  readonly bytes: number;
  readonly records: number;
}

/** More than the columns of any table: a guard against objects that are not records. */
const maxNames = 5000;

/**
 * Parses JSON if the text begins like it, else CSV or TSV with names in the first line.
 * @throws Unreadable
 */
export function* readPasted(text: string, most: CallLimits): Generator<void, Pasted> {
  // A character is at least one byte, so this cannot refuse a text that fits.
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

/** Milliseconds of work before the page may handle events. */
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
