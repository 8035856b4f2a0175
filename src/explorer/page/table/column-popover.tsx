import type { Dispatch, StateUpdater } from 'preact/hooks';
import type { Question, View } from '../ask/question.ts';
import { FilterForm } from '../find/forms.ts';
import { Anchored } from '../parts/popover.tsx';
import type { Table } from '../table-view.tsx';
import { say } from '../texts/index.ts';
import { ColumnMenu } from './column-menu.tsx';
import type { Shown } from './widths.ts';

export interface OpenMenu {
  /** The name of the column. */
  readonly name: string;
  readonly anchor: HTMLElement;
  readonly shows: 'menu' | 'filter';
}

export interface ColumnPopoverProps {
  readonly menu: OpenMenu;
  readonly table: Table;
  readonly view: View;
  /** The columns of the grid. */
  readonly columns: readonly Shown[];
  readonly onMenu: Dispatch<StateUpdater<OpenMenu | null>>;
  onShow(part: Partial<View>): void;
  onChange(part: Partial<Question>): void;
}

/** The menu of a column, or the filter form that the menu opens in its place. */
export function ColumnPopover({ menu, table, view, columns, onMenu, onShow, onChange }: ColumnPopoverProps) {
  const { name, anchor } = menu;
  const column = table.columns.find((one) => one.name === name);
  if (column === undefined) return null;
  if (menu.shows === 'menu')
    return (
      <ColumnMenu
        key={name}
        {...{ column, anchor, canHide: columns.length > 1, canSummarize: table.canSummarize }}
        onClose={() => onMenu((now) => (now?.shows === 'menu' ? null : now))}
        onSort={(isDescending) => onChange({ sort: [{ field: name, isDescending }] })}
        onFilter={() => onMenu({ ...menu, shows: 'filter' })}
        onSummarize={() => onShow({ panel: 'summary', by: [...new Set([...view.by, name])] })}
        onHide={() => onChange({ fields: columns.map((shown) => shown.column.name).filter((one) => one !== name) })}
      />
    );
  return (
    <Anchored anchor={anchor} label={say.addFilter} onClose={() => onMenu(null)}>
      <FilterForm
        {...{ resource: table.id, columns: table.columns, field: name, condition: null }}
        onDone={(more) => {
          onMenu(null);
          onChange({ conditions: [...view.question.conditions, ...more] });
        }}
      />
    </Anchored>
  );
}
