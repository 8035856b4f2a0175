/** The tab Data: the grid, and a panel beside it. */
import { useState } from 'preact/hooks';
import { type Marked, noMarks } from '../ask/marks.ts';
import { FilterForm } from '../find/lazy-forms.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { TableMain } from '../table/table-main.tsx';
import { Panel } from './panel.tsx';

export function Data(props: TabProps) {
  const { table, view, search, onChange } = props;
  const { pages, shown, key } = search;
  const [marks, setMarks] = useState<{ readonly of: string; readonly marked: Marked }>({ of: '', marked: noMarks });
  // The address may ask for the add panel of a table that is read-only.
  const panel = view.panel === 'add' && !table.canWrite ? 'none' : view.panel;
  // Marks belong to one search. Otherwise records that are no longer visible could be deleted.
  const marked = marks.of === key ? marks.marked : noMarks;
  return (
    <div class={`body${panel === 'none' ? '' : ` with-panel with-${panel}`}`}>
      <TableMain
        {...props}
        marked={marked}
        onMarked={(to) => {
          // The previous records may not match the new search, so they cannot be marked.
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
