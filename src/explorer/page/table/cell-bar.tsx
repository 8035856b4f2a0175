import type { Column } from '../ask/columns.ts';
import type { Condition } from '../ask/conditions.ts';
import { type Json, textOf } from '../ask/json.ts';
import type { Referred } from '../ask/references.ts';
import { sameValue } from '../ask/same-value.ts';
import { Copy } from '../parts/copy.tsx';
import { linkOf } from '../parts/links.ts';
import { Name, Value } from '../parts/value.tsx';
import { say } from '../texts/index.ts';

export interface CellBarProps {
  readonly column: Column | null;
  /** Null if the column refers to no other table. */
  readonly referred: Referred | null;
  /** Undefined if no cell is selected. */
  readonly value: Json | undefined;
  /** Shown if no cell is selected. */
  readonly hint: string;
  onFilter(condition: Condition): void;
  onOpen(): void;
}

/** The bar with the selected cell's full value, and its actions. */
export function CellBar({ column, referred, value, hint, onFilter, onOpen }: CellBarProps) {
  if (column === null || value === undefined) return <p class="cell-bar note">{hint}</p>;
  const { only, without } = sameValue(column, value);
  const other = value === null ? null : (referred?.(value) ?? null);
  const link = typeof value === 'string' && column.kind === 'text' ? linkOf(value) : null;
  return (
    <section class="cell-bar" aria-label={say.cell}>
      <b dir="auto">
        <Name of={column.label} />
      </b>
      <output dir="auto">
        {link === null ? (
          <Value value={value} words={[]} most={400} />
        ) : (
          <a href={link.href} {...(link.isMail ? {} : { target: '_blank', rel: 'noopener noreferrer' })}>
            <Value value={value} words={[]} most={400} />
          </a>
        )}
        {other !== null && (
          <>
            {' '}
            <a href={other.href} data-inside="">
              <Name of={other.label ?? say.openOther} />
            </a>
          </>
        )}
      </output>
      <span class="row">
        <button type="button" onClick={onOpen}>
          {say.openRecord}
        </button>
        {only !== null && (
          <button type="button" onClick={() => onFilter(only)}>
            {say.filterTo}
          </button>
        )}
        {without !== null && (
          <button type="button" onClick={() => onFilter(without)}>
            {say.leaveOut}
          </button>
        )}
        <Copy
          text={() => textOf(value) ?? ''}
          label={
            <>
              {say.copy} <kbd>{say.copyKeys}</kbd>
            </>
          }
        />
      </span>
    </section>
  );
}
