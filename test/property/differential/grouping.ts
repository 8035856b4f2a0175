import fc from 'fast-check';
import { type Groupable, groupFaults } from '../../support/groups.ts';
import { filters } from './filtering.ts';
import type { Fleet } from './fleet.ts';
import { rowsOf } from './rows.ts';
import { number, object, type Sent, write } from './sent.ts';
import type { Table } from './table.ts';

/**
 * Random `datastore_aggregate` calls on the current content of the tables. Each group must have as many records as its filters find, and all engines
 * must give byte-identical answers. Returns the faults.
 */
export async function compareGroups(
  fleet: Fleet,
  tables: readonly Table[],
  { seed, cases }: { readonly seed: number; readonly cases: number },
): Promise<readonly string[]> {
  const call: Groupable['call'] = async (action, body) => {
    const [first, ...others] = await fleet.call(action, body);
    if (first === undefined) throw new Error('there are no engines');
    const differing = others.find(({ status, text }) => status !== first.status || text !== first.text);
    const answerTexts = [first, ...others].map(({ engine, status, text }) => `${engine}: ${status} ${text}`).join('\n');
    return differing === undefined
      ? first
      : { status: 0, text: `The engines differ on ${action} ${body}\n${answerTexts}` };
  };
  const faults: string[] = [];
  for (const body of fc.sample(fc.constantFrom(...tables).chain(groups), { seed, numRuns: cases })) {
    const found = await groupFaults({ call }, body);
    // A column that cannot be grouped is refused with the same message everywhere, which is no fault.
    faults.push(...found.filter((fault) => !fault.startsWith('409 ')).map((fault) => `${body}\n${fault}`));
  }
  return faults;
}

/** The body of a random call. */
function groups(table: Table): fc.Arbitrary<string> {
  const by = fc.constantFrom(...table.columns).chain(({ name, kind }) => {
    const field = ['field', name] as const;
    const isTime = kind.is === 'date' || kind.is === 'timestamp';
    const isNumber = kind.is === 'int' || kind.is === 'numeric' || kind.is === 'double';
    const bins = fc.constantFrom(2, 5, 12).map((count) => object(field, ['bins', number(String(count))]));
    const steps = isTime ? [fc.constant(object(field, ['every', 'year']))] : [];
    return fc.oneof(fc.constant(object(field)), ...(isTime || isNumber ? [bins] : []), ...steps);
  });
  const more = rowsOf(table).chain((rows) =>
    fc.option(
      filters(table, rows).map((sent) => ['filters', sent] as const),
      { nil: null, freq: 1 },
    ),
  );
  const limited = ['limit', number('12')] as const;
  const sort = fc.constantFrom<Sent>('value', 'count').map((sent) => ['sort', sent] as const);
  return fc
    .tuple(by, more, sort)
    .map(([groups, chosen, order]) =>
      write(object(['resource_id', table.name], ['by', groups], limited, order, ...(chosen === null ? [] : [chosen]))),
    );
}
