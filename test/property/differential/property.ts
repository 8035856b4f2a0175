import fc from 'fast-check';
import { body, type Call, call, resourceOf } from './calls.ts';
import { disagreement } from './disagreement.ts';
import type { Fleet } from './fleet.ts';
import { type Expected, Refused } from './model/answer.ts';
import type { Row } from './model/filters.ts';
import { search } from './model/search.ts';
import { remove, upsert } from './model/write.ts';
import { recordOf, rowsOf } from './rows.ts';
import { object } from './sent.ts';
import { ddl, type Table } from './table.ts';
import { table } from './tables.ts';

export interface Outcome {
  readonly cases: number;
  /** The calls on which answers disagree, as text; null if there are none. */
  readonly failure: string | null;
}

/** Random tables; the same for the same seed. */
export function randomTables(seed: number): readonly Table[] {
  return Array.from({ length: 10 }, (_, i) => fc.sample(table(`t${i}`), { seed: seed + i, numRuns: 1 })).flat();
}

/**
 * Makes random calls until at least `cases` answers were compared, or one of them is wrong. With `shrink` it then reduces the sequence of calls as
 * far as possible.
 */
export async function compareAnswers(
  fleet: Fleet,
  tables: readonly Table[],
  { seed, cases, shrink }: { readonly seed: number; readonly cases: number; readonly shrink: boolean },
): Promise<Outcome> {
  let compared = 0;
  const property = fc.asyncProperty(fc.constantFrom(...tables).chain(sequenceOf), async ({ table: one, calls }) => {
    compared += await play(fleet, one, calls);
  });
  for (let part = 0; compared < cases; part++) {
    const details = await fc.check(property, { seed: seed + part, numRuns: 10, endOnFailure: !shrink });
    if (!details.failed) continue;
    const [failing] = details.counterexample ?? [];
    const statements = failing === undefined ? [] : [ddl(failing.table, 'postgres'), ddl(failing.table, 'mysql')];
    const { errorInstance: error } = details;
    return {
      cases: compared,
      failure: [...statements, error instanceof Error ? error.message : String(error)].join('\n'),
    };
  }
  return { cases: compared, failure: null };
}

interface Sequence {
  readonly table: Table;
  readonly calls: readonly Call[];
}

/** Empties the table, fills it, and continues with random calls. */
function sequenceOf(one: Table): fc.Arbitrary<Sequence> {
  const emptied: Call = { action: 'datastore_records_delete', params: { filters: object() } };
  return rowsOf(one).chain((rows) => {
    const filled = rows.map((row) =>
      recordOf(one, row).map(
        (record): Call => ({ action: 'datastore_upsert', params: { method: 'insert', records: [record] } }),
      ),
    );
    return fc
      .tuple(fc.tuple(...filled), fc.array(call(one, rows), { minLength: 1, maxLength: 24, size: 'max' }))
      .map(([fill, calls]) => ({ table: one, calls: [emptied, ...fill, ...calls] }));
  });
}

/** Makes the calls in sequence, and throws at the first answer that differs from the model. Returns their number. */
async function play(fleet: Fleet, one: Table, calls: readonly Call[]): Promise<number> {
  let rows: readonly Row[] = [];
  const transcript: string[] = [];
  for (const each of calls) {
    const { answer, rows: next } = model(one, rows, each);
    const sent = body(one, each);
    const answers = await fleet.call(each.action, sent);
    const problem = disagreement(answers, each.action, answer);
    transcript.push(`${each.action} ${sent}`);
    if (problem !== null) throw new Error(`${transcript.join('\n')}\n\n${problem}`);
    rows = next;
  }
  return calls.length;
}

function model(one: Table, rows: readonly Row[], each: Call): { answer: Expected; rows: readonly Row[] } {
  const { action, params, guarded } = each;
  try {
    if (action === 'datastore_search') return { answer: search(one, rows, params), rows };
    if (action === 'datastore_upsert') return upsert(one, rows, params);
    return remove(one, resourceOf(one, each), rows, params, !guarded);
  } catch (error) {
    if (error instanceof Refused) return { answer: error.answer, rows };
    throw error;
  }
}
