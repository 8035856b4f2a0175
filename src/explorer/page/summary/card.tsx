import type { Column } from '../ask/columns.ts';
import type { IconName } from '../parts/icon.tsx';
import { Icon } from '../parts/icon.tsx';
import { Name } from '../parts/value.tsx';
import { words } from './texts/index.ts';

export interface UncountedCardProps {
  readonly column: Column;
  readonly icon: IconName;
  onCount(): void;
}

/** The card of a column before it is counted: that reads the whole table, so nobody counts by accident. */
export function UncountedCard({ column, icon, onCount }: UncountedCardProps) {
  const { label, notes } = column;
  return (
    <section class="card" aria-label={label}>
      <header>
        <Icon name={icon} />
        <h2 dir="auto">
          <Name of={label} />
        </h2>
        <small>{words.notCounted}</small>
      </header>
      {notes !== '' && (
        <p class="note" dir="auto">
          <Name of={notes} />
        </p>
      )}
      <div>
        <button type="button" onClick={onCount}>
          {words.count}
        </button>
      </div>
    </section>
  );
}
