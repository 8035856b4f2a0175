import type { Column } from '../ask/columns.ts';
import { mapWords as words } from '../texts/index.ts';

export interface PlacesHeadProps {
  /** The columns that can set the points' size. */
  readonly columns: readonly Column[];
  /** The column that sets it; null if all points have the same size. */
  readonly sized: Column | null;
  /** Whether the map shows all records. */
  readonly isAll: boolean;
  /** @param name the column's name; '' for the same size */
  onSize(name: string): void;
  /** Filters the table to the records in view. */
  onFilter(): void;
}

/** The controls above the list of places: what sets the points' size, and a filter to the records in view. */
export function PlacesHead({ columns, sized, isAll, onSize, onFilter }: PlacesHeadProps) {
  return (
    <div class="places-head">
      <label>
        {words.size}
        <select value={sized?.name ?? ''} onChange={(event) => onSize(event.currentTarget.value)}>
          <option value="">{words.oneSize}</option>
          {columns.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button type="button" disabled={isAll} onClick={onFilter}>
        {words.onlyInView}
      </button>
    </div>
  );
}
