import type { Column } from '../ask/columns.ts';
import { order, type Sort } from '../ask/question.ts';
import { Icon } from '../parts/icon.tsx';
import { Select } from '../parts/select.tsx';
import { say } from '../texts/index.ts';

export interface ListBarProps {
  readonly columns: readonly Column[];
  readonly sort: readonly Sort[];
  /** Whether words are searched: without another order, the records that match them best come first. */
  readonly hasWords: boolean;
  onSort(sort: readonly Sort[]): void;
  onGrid(): void;
}

/** The bar below the list of records: its order, and the way to the grid. */
export function ListBar({ columns, sort, hasWords, onSort, onGrid }: ListBarProps) {
  const [first] = sort;
  const sortable = columns.filter(({ kind }) => kind !== 'other');
  return (
    <div class="list-bar">
      <button type="button" onClick={onGrid}>
        <Icon name="columns" />
        {say.asGrid}
      </button>
      <span class="spring" />
      <Select
        isBare
        label={say.sort}
        all={['', ...sortable.map(({ name }) => name)]}
        nameOf={(one) => sortable.find(({ name }) => name === one)?.label ?? (hasWords ? say.bestFirst : say.sort)}
        value={first?.field ?? ''}
        onValue={(name) => onSort(name === '' ? [] : [order(name, true)])}
      />
      {first !== undefined && (
        <button
          type="button"
          aria-label={first.isDescending ? say.sortUp : say.sortDown}
          onClick={() => onSort([order(first.field, !first.isDescending)])}
        >
          <Icon name={first.isDescending ? 'down' : 'up'} />
        </button>
      )}
    </div>
  );
}

/** The way back to the list, below the grid on a phone. */
export function ListButton({ onList }: { onList(): void }) {
  return (
    <div class="list-bar">
      <button type="button" onClick={onList}>
        <Icon name="list" />
        {say.asList}
      </button>
    </div>
  );
}
