import type { Column } from '../ask/columns.ts';
import { order, type Sort } from '../ask/question.ts';
import { Icon } from '../parts/icon.tsx';
import { say } from '../texts/index.ts';

export interface ListBarProps {
  readonly columns: readonly Column[];
  readonly sort: readonly Sort[];
  onSort(sort: readonly Sort[]): void;
  onGrid(): void;
}

/** The bar below the list of records: its order, and the way to the grid. */
export function ListBar({ columns, sort, onSort, onGrid }: ListBarProps) {
  const [first] = sort;
  return (
    <div class="list-bar">
      <button type="button" onClick={onGrid}>
        <Icon name="columns" />
        {say.asGrid}
      </button>
      <span class="spring" />
      <select
        aria-label={say.sort}
        value={first?.field ?? ''}
        onChange={({ currentTarget: { value } }) => onSort(value === '' ? [] : [order(value, true)])}
      >
        <option value="">{say.sort}</option>
        {columns
          .filter(({ kind }) => kind !== 'other')
          .map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
      </select>
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
