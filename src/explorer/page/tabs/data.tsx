/** The tab Data: the grid, and a panel beside it. */
import { useState } from 'preact/hooks';
import { type Marked, noMarks } from '../ask/marks.ts';
import type { Panel as PanelName } from '../ask/question.ts';
import { FilterForm } from '../find/lazy-forms.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { TableMain } from '../table/table-main.tsx';
import { Panel } from './panel.tsx';

export function Data(props: TabProps) {
  const { table, view, search, onChange } = props;
  const { pages, shown, key } = search;
  const [marks, setMarks] = useState<{ readonly of: string; readonly marked: Marked }>({ of: '', marked: noMarks });
  // The address may ask for edit mode although the table is read-only.
  const isEditing = view.isEditing && table.canWrite;
  const panel = isEditing ? view.panel : panelToRead(view.panel);
  // Marks belong to one search. Otherwise the user could delete records that are no longer visible.
  const marked = marks.of === key ? marks.marked : noMarks;
  return (
    <div class={`body${panel === 'none' ? '' : ` with-panel with-${panel === 'edit' ? 'record' : panel}`}`}>
      <TableMain
        {...props}
        isEditing={isEditing}
        marked={marked}
        onMarked={(to) => {
          // The previous search's records may not match the new one, so they cannot be marked.
          if (shown.key === key) setMarks({ of: key, marked: to });
        }}
        onRetry={() => pages.retry()}
        renderFilter={(field, onClose) => (
          <FilterForm
            {...{ resource: table.id, columns: table.columns, field, condition: null }}
            onDone={(more) => {
              onClose();
              onChange({ conditions: [...view.question.conditions, ...more] });
            }}
          />
        )}
      />
      {panel !== 'none' && <Panel of={panel} {...props} marked={marked} />}
    </div>
  );
}

/** The panel that a caller who may not write gets instead. */
const panelToRead = (panel: PanelName): PanelName =>
  panel === 'edit' ? 'record' : panel === 'add' || panel === 'import' ? 'none' : panel;
