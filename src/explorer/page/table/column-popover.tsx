import type { ComponentChildren } from 'preact';
import type { Dispatch, StateUpdater } from 'preact/hooks';
import { order, type Question, type View } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import { Anchored } from '../parts/popover.tsx';
import { say } from '../texts/index.ts';
import { ColumnMenu } from './column-menu.tsx';
import type { Shown } from './widths.ts';

export interface OpenMenu {
  /** The column's name. */
  readonly name: string;
  readonly anchor: HTMLElement;
  readonly shows: 'menu' | 'filter';
}

export interface ColumnPopoverProps {
  readonly menu: OpenMenu;
  readonly table: Table;
  readonly view: View;
  /** The grid's columns. */
  readonly columns: readonly Shown[];
  /** How many of the first columns do not scroll. */
  readonly frozen: number;
  readonly onMenu: Dispatch<StateUpdater<OpenMenu | null>>;
  onShow(part: Partial<View>): void;
  onChange(part: Partial<Question>): void;
  /** @param name the last column to freeze; '' for none */
  onFreeze(name: string): void;
  /** The form for a new filter on a column. */
  renderFilter(field: string, onClose: () => void): ComponentChildren;
}

/** A column's menu, or the filter form that the menu opens in its place. */
export function ColumnPopover(props: ColumnPopoverProps) {
  const { menu, table, view, columns, frozen, renderFilter, onMenu, onShow, onChange, onFreeze } = props;
  const { name, anchor } = menu;
  const column = table.columns.find((one) => one.name === name);
  if (column === undefined) return null;
  const isLastFrozen = columns[frozen - 1]?.column.name === name;
  if (menu.shows === 'menu')
    return (
      <ColumnMenu
        key={name}
        {...{ column, anchor, canHide: columns.length > 1, canSummarize: table.canSummarize, isLastFrozen }}
        onClose={() => onMenu((now) => (now?.shows === 'menu' ? null : now))}
        onSort={(isDescending) => onChange({ sort: [order(name, isDescending)] })}
        onFilter={() => onMenu({ ...menu, shows: 'filter' })}
        onSummarize={() => onShow({ tab: 'summary', panel: 'none', row: null, by: [...new Set([...view.by, name])] })}
        onFreeze={() => onFreeze(isLastFrozen ? '' : name)}
        onHide={() => onChange({ fields: columns.map((shown) => shown.column.name).filter((one) => one !== name) })}
      />
    );
  return (
    <Anchored anchor={anchor} label={say.addFilter} onClose={() => onMenu(null)}>
      {renderFilter(name, () => onMenu(null))}
    </Anchored>
  );
}
