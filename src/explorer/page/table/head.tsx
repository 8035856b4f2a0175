import type { Sort } from '../ask/question.ts';
import { Icon } from '../parts/icon.tsx';
import { Name } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { stepOf } from './arrangement.ts';
import { Grip } from './grip.tsx';
import type { Shown } from './widths.ts';

export interface HeadProps {
  readonly columns: readonly Shown[];
  /** How many of the first columns do not scroll. */
  readonly frozen: number;
  readonly from: number;
  readonly to: number;
  /** The left edge of each column. */
  readonly edges: readonly number[];
  readonly sort: readonly Sort[];
  /** Whether the first column has checkboxes. */
  readonly hasMarks: boolean;
  /** @param isFurther whether to sort by this column after the current ones (Shift) */
  onSort(name: string, isFurther: boolean): void;
  onMenu(name: string, button: HTMLElement): void;
  /** @param width null to make the column as wide as its values need */
  onResize(name: string, width: number | null): void;
}

/** The header row. Clicking a name sorts; the button beside it opens the column's menu. Documents and lists have no sort: there both open it. */
export function Head(props: HeadProps) {
  const { columns, frozen, from, to, hasMarks } = props;
  const after = columns.length - 1 - to;
  const first = Math.max(from, frozen);
  return (
    <thead>
      <tr aria-rowindex={1}>
        {hasMarks && (
          <th class="mark" scope="col" aria-colindex={1}>
            <span class="unseen-label">{say.mark}</span>
          </th>
        )}
        {columns.slice(0, frozen).map((shown, nth) => (
          <ColumnHead key={shown.column.name} {...props} {...{ shown, nth }} />
        ))}
        {first > frozen && <td colSpan={first - frozen} aria-hidden="true" />}
        {columns.slice(first, to + 1).map((shown, offset) => (
          <ColumnHead key={shown.column.name} {...props} {...{ shown, nth: first + offset }} />
        ))}
        <td colSpan={after + 1} aria-hidden="true" />
      </tr>
    </thead>
  );
}

interface ColumnHeadProps extends HeadProps {
  readonly shown: Shown;
  readonly nth: number;
}

function ColumnHead({
  shown: { column, look, isNumber, width },
  nth,
  frozen,
  edges,
  sort,
  hasMarks,
  onSort,
  onMenu,
  onResize,
}: ColumnHeadProps) {
  const place = sort.findIndex(({ field }) => field === column.name);
  const direction = sort[place]?.isDescending;
  const order = direction === undefined ? 'none' : direction ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      aria-colindex={nth + (hasMarks ? 2 : 1)}
      aria-sort={order}
      class={`${isNumber ? 'number' : ''}${nth < frozen ? ' frozen' : ''}`}
      style={nth < frozen ? { insetInlineStart: `${edges[nth] ?? 0}px` } : undefined}
      onKeyDown={(event) => {
        const step = stepOf(event);
        if (step === 0) return;
        event.preventDefault();
        onResize(column.name, width + step);
      }}
    >
      <button
        type="button"
        class="name"
        aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight"
        title={column.notes === '' ? undefined : column.notes}
        onClick={(event) =>
          column.kind === 'other' ? onMenu(column.name, event.currentTarget) : onSort(column.name, event.shiftKey)
        }
      >
        <span class="line">
          <Icon name={look.icon} />
          <span class="label" dir="auto">
            <Name of={column.label} />
          </span>
          <SortMark sort={sort} place={place} />
        </span>{' '}
        <small dir="auto">
          <Name of={look.says} />
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
      <Grip width={width} onResize={(to) => onResize(column.name, to)} />
    </th>
  );
}

/** The arrow of a sorted column, with the column's place if several are sorted by. */
function SortMark({ sort, place }: { readonly sort: readonly Sort[]; readonly place: number }) {
  const own = sort[place];
  if (own === undefined) return null;
  return (
    <b aria-hidden="true">
      {own.isDescending ? '↓' : '↑'}
      {sort.length > 1 ? place + 1 : ''}
    </b>
  );
}
