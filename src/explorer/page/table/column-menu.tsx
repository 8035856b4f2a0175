import { useEffect, useRef } from 'preact/hooks';
import type { Column } from '../ask/columns.ts';
import { copyText } from '../parts/copy.tsx';
import { place } from '../parts/popover.tsx';
import { Name } from '../parts/value.tsx';
import { say } from '../texts/index.ts';

export interface ColumnMenuProps {
  readonly column: Column;
  readonly anchor: HTMLElement;
  readonly canHide: boolean;
  readonly canSummarize: boolean;
  /** Whether this column is the last frozen one. */
  readonly isLastFrozen: boolean;
  onClose(): void;
  onSort(isDescending: boolean): void;
  onFilter(): void;
  onSummarize(): void;
  onFreeze(): void;
  onHide(): void;
}

/** A column's menu. All columns share one, because a table may have hundreds. */
export function ColumnMenu(props: ColumnMenuProps) {
  const { column, anchor, onClose } = props;
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const panel = menu.current;
    if (panel === null) return;
    panel.showPopover();
    place(panel, anchor.getBoundingClientRect());
    panel.querySelector('button')?.focus();
  }, [anchor]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (menu.current !== null) focusNext(menu.current, step);
  };
  return (
    <div
      ref={menu}
      class="popover menu"
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={say.columnMenu(column.label)}
      onKeyDown={onKeyDown}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      <p class="note">
        <code dir="auto">
          <Name of={column.name} />
        </code>{' '}
        {column.type}
      </p>
      {itemsOf(props).map(([label, act]) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          onClick={() => {
            menu.current?.hidePopover();
            act();
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** The menu's items: each one's label and what it does. */
function itemsOf(props: ColumnMenuProps): readonly (readonly [label: string, act: () => void])[] {
  const { column, canHide, canSummarize, isLastFrozen, onSort, onFilter, onSummarize, onFreeze, onHide } = props;
  const isPlain = column.kind !== 'other';
  return [
    ...(isPlain ? [[say.sortUp, () => onSort(false)] as const, [say.sortDown, () => onSort(true)] as const] : []),
    [say.filterBy, onFilter],
    ...(isPlain && canSummarize ? [[say.summarize, onSummarize] as const] : []),
    [isLastFrozen ? say.unfreeze : say.freeze, onFreeze],
    ...(canHide ? [[say.hide, onHide] as const] : []),
    [say.copyName, () => void copyText(column.name)],
  ];
}

/** Moves the focus by one button, down (1) or up (-1), and around from the last to the first. */
function focusNext(menu: HTMLElement, step: number): void {
  const buttons: readonly Element[] = [...menu.querySelectorAll('button')];
  const now = document.activeElement === null ? -1 : buttons.indexOf(document.activeElement);
  const next = buttons.at((now + step) % buttons.length);
  if (next instanceof HTMLElement) next.focus();
}
