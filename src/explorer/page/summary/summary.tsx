/** The tab Summary: how many records have which value, and two columns compared. Nothing is counted until it is asked for. */
import { useState } from 'preact/hooks';
import { lookOf } from '../parts/looks.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { say } from '../texts/index.ts';
import { UncountedCard } from './card.tsx';
import { Compare } from './compare.tsx';
import { Facet } from './facet.tsx';
import { words } from './texts/index.ts';

/** The columns that are shown at first: a table may have hundreds. */
const step = 48;

export function Summary(props: TabProps) {
  const { table, view, onShow } = props;
  const { by } = view;
  const [length, setLength] = useState(step);
  const [isComparing, setComparing] = useState(view.compared !== null);
  // Columns that are already counted, as by the menu of a column, come first. Those that are counted now stay where they are.
  const [first] = useState(by);
  if (!table.canSummarize) return <p class="note">{say.noSummaries}</p>;
  const possible = table.columns.filter(({ kind }) => kind !== 'other');
  const columns = [
    ...possible.filter(({ name }) => first.includes(name)),
    ...possible.filter(({ name }) => !first.includes(name)),
  ];
  const shown = columns.filter(({ name }, at) => at < length || by.includes(name));
  return (
    <section class="summary" aria-label={say.tabs.summary}>
      <div class="row">
        <p class="note">{words.what}</p>
        <span class="spring" />
        <button type="button" aria-expanded={isComparing} onClick={() => setComparing(!isComparing)}>
          {words.compare}
        </button>
      </div>
      <div class="cards">
        {isComparing && <Compare {...props} />}
        {shown.map((column) =>
          by.includes(column.name) ? (
            <Facet key={column.name} {...props} column={column} />
          ) : (
            <UncountedCard
              key={column.name}
              {...{ column, icon: lookOf(column, table).icon }}
              onCount={() => onShow({ by: [...by, column.name] })}
            />
          ),
        )}
      </div>
      {shown.length < columns.length && (
        <button type="button" onClick={() => setLength(length + step)}>
          {words.moreColumns}
        </button>
      )}
    </section>
  );
}
