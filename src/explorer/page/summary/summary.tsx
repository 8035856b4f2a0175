/** The tab Summary: how many records have which value, and two columns compared. Nothing is counted until it is asked for. */
import { useEffect, useRef, useState } from 'preact/hooks';
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
  const cards = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The menu of a column counts it, and its card may be far below.
    cards.current
      ?.querySelector(`[data-column="${CSS.escape(by.at(-1) ?? '')}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }, []);
  if (!table.canSummarize) return <p class="note">{say.noSummaries}</p>;
  const columns = table.columns.filter(({ kind }) => kind !== 'other');
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
      <div class="cards" ref={cards}>
        {isComparing && <Compare {...props} />}
        {shown.map((column) => (
          <div key={column.name} data-column={column.name}>
            {by.includes(column.name) ? (
              <Facet {...props} column={column} />
            ) : (
              <UncountedCard column={column} onCount={() => onShow({ by: [...by, column.name] })} />
            )}
          </div>
        ))}
      </div>
      {shown.length < columns.length && (
        <button type="button" onClick={() => setLength(length + step)}>
          {words.moreColumns}
        </button>
      )}
    </section>
  );
}
