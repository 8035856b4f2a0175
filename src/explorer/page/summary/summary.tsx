/** The tab Summary: how many records have which value, and a comparison of two columns. Nothing is counted until the user asks for it. */
import { useState } from 'preact/hooks';
import type { TabProps } from '../parts/tab-props.ts';
import { say, summaryWords as words } from '../texts/index.ts';
import { UncountedCard } from './card.tsx';
import { Compare } from './compare.tsx';
import { Facet } from './facet.tsx';

/** How many columns are shown at first: a table may have hundreds. */
const step = 48;

export function Summary(props: TabProps) {
  const { table, view, search, onShow, onAdd } = props;
  const { by } = view;
  const [length, setLength] = useState(step);
  const [isComparing, setComparing] = useState(view.compared !== null);
  // Columns that are already counted when the tab opens, for example from a column's menu, come first. Columns counted later stay in place.
  const [first] = useState(by);
  /** The column whose count the user added or removed last. */
  const [changed, setChanged] = useState('');
  const count = (name: string, isCounted: boolean) => {
    setChanged(name);
    onShow({ by: isCounted ? [...by, name] : by.filter((one) => one !== name) });
  };
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
        {shown.map((column) => {
          const { name } = column;
          const card = { table, column, takesFocus: name === changed };
          return by.includes(name) ? (
            <Facet key={name} {...{ ...card, view, search, onAdd }} onRemove={() => count(name, false)} />
          ) : (
            <UncountedCard key={name} {...card} onCount={() => count(name, true)} />
          );
        })}
      </div>
      {shown.length < columns.length && (
        <button type="button" onClick={() => setLength(length + step)}>
          {words.moreColumns}
        </button>
      )}
    </section>
  );
}
