import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Column } from '../ask/columns.ts';
import type { Table } from '../ask/table.ts';
import { Icon } from '../parts/icon.tsx';
import { lookOf } from '../parts/looks.ts';
import { Name } from '../parts/value.tsx';
import { summaryWords as words } from '../texts/index.ts';

export interface CardProps {
  readonly table: Table;
  readonly column: Column;
  /** Whether the user has just counted the column, or removed its count. The button that had the focus is then gone. */
  readonly takesFocus: boolean;
}

interface CardFrameProps extends CardProps {
  readonly isBusy?: boolean;
  /** The content beside the name. */
  readonly aside: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A card's frame: the column's name, and the card's content. */
export function Card({ table, column, takesFocus, isBusy = false, aside, children }: CardFrameProps) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) card.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={card} class="card" tabIndex={-1} aria-label={column.label} aria-busy={isBusy}>
      <header>
        <Icon name={lookOf(column, table).icon} />
        <h2 dir="auto">
          <Name of={column.label} />
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A column's card before it is counted. Counting reads the whole table, so nobody should start it by accident. */
export function UncountedCard({ onCount, ...card }: CardProps & { onCount(): void }) {
  const { label, notes } = card.column;
  return (
    <Card {...card} aside={<small>{words.notCounted}</small>}>
      {notes !== '' && (
        <p class="note" dir="auto">
          <Name of={notes} />
        </p>
      )}
      <div>
        <button type="button" aria-label={`${words.count}: ${label}`} onClick={onCount}>
          {words.count}
        </button>
      </div>
    </Card>
  );
}
