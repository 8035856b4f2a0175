import type { Sort } from '../ask/question.ts';
import { Name } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import type { Shown } from './widths.ts';

export interface HeadProps {
  readonly columns: readonly Shown[];
  readonly from: number;
  readonly to: number;
  readonly sort: readonly Sort[];
  /** Whether the first column has checkboxes. */
  readonly hasMarks: boolean;
  /** @param isFurther whether to sort by this column after the current ones (Shift) */
  onSort(name: string, isFurther: boolean): void;
  onMenu(name: string, button: HTMLElement): void;
}

/** The header row. Clicking a name sorts; the button beside it opens the menu of the column. */
export function Head({ columns, from, to, sort, hasMarks, onSort, onMenu }: HeadProps) {
  const after = columns.length - 1 - to;
  return (
    <thead>
      <tr aria-rowindex={1}>
        {hasMarks && (
          <th class="mark" scope="col" aria-colindex={1}>
            <span class="unseen-label">{say.mark}</span>
          </th>
        )}
        {from > 0 && <td colSpan={from} aria-hidden="true" />}
        {columns.slice(from, to + 1).map(({ column }, offset) => {
          const place = sort.findIndex(({ field }) => field === column.name);
          const direction = sort[place]?.isDescending;
          const order = direction === undefined ? 'none' : direction ? 'descending' : 'ascending';
          return (
            <th
              key={column.name}
              scope="col"
              aria-colindex={from + offset + (hasMarks ? 2 : 1)}
              aria-sort={order}
              class={column.kind === 'number' ? 'number' : ''}
            >
              <button
                type="button"
                class="name"
                title={column.notes === '' ? undefined : column.notes}
                onClick={(event) => onSort(column.name, event.shiftKey)}
              >
                <span class="label" dir="auto">
                  <Name of={column.label} />
                </span>
                <small>
                  {column.type}
                  {place >= 0 && (
                    <b aria-hidden="true">
                      {direction ? ' ↓' : ' ↑'}
                      {sort.length > 1 ? place + 1 : ''}
                    </b>
                  )}
                </small>
              </button>
              <button
                type="button"
                class="menu-button"
                aria-haspopup="menu"
                aria-label={say.columnMenu(column.label)}
                onClick={(event) => onMenu(column.name, event.currentTarget)}
              >
                ⋯
              </button>
            </th>
          );
        })}
        <td colSpan={after + 1} aria-hidden="true" />
      </tr>
    </thead>
  );
}
