/** How an import writes its numbers. German `1.265` is 1265, but in a download it is 1.265: the other numbers in the text decide. */
import { isList, numberOf, textOf } from '../ask/json.ts';
import { shownNumber } from '../parts/format.ts';
import { typedNumber } from '../parts/typed-number.ts';
import type { Pasted } from './pasted/read.ts';
import type { Mapping } from './pasted/records.ts';

export const notations = ['plain', 'local'] as const;
/** `local` is the notation of the page's language. `plain` is how the API and downloads write numbers. */
export type Notation = (typeof notations)[number];

/** A number that is valid in both notations, but means something else in each. */
export interface Unclear {
  readonly text: string;
  /** Both readings, written in the page's language. */
  readonly readings: Readonly<Record<Notation, string>>;
}

/** Yields while it looks through the rows. If a number is ambiguous and no other number settles the notation, returns it for the user to decide. */
export function* notationOf({ rows }: Pasted, { fields }: Mapping): Generator<void, Notation | Unclear> {
  const columns = fields.flatMap((field, nth) => (field?.column.kind === 'number' ? [nth] : []));
  const seen = new Set<Notation>();
  let unclear: Unclear | null = null;
  for (const row of rows) {
    for (const nth of columns) {
      const text = isList(row) ? row[nth] : null;
      if (typeof text !== 'string') continue;
      const [plain, local] = [numberOf(text), typedNumber(text)];
      const isLocal = local.is === 'number';
      if (isLocal !== (plain !== null)) seen.add(isLocal ? 'local' : 'plain');
      else if (local.is === 'number' && textOf(local.value) !== textOf(plain))
        unclear ??= { text, readings: { plain: shownNumber(text, false), local: textOf(local.value) ?? text } };
    }
    yield;
  }
  // If the rows mix both notations, read them as `local`: each number in the other notation is then refused on its own row.
  if (seen.has('local') || (unclear === null && !seen.has('plain'))) return 'local';
  return seen.has('plain') ? 'plain' : (unclear ?? 'local');
}
