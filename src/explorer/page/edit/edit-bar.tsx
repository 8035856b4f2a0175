/** The bar in edit mode, with the actions for the table as a whole. */
import { useEffect, useState } from 'preact/hooks';
import type { Panel } from '../ask/question.ts';
import { Icon } from '../parts/icon.tsx';
import type { TabProps } from '../parts/tab-props.ts';
import { mayLeave, setUnsaved } from '../parts/unsaved.ts';
import { type LastSave, useLastSave } from './last-save.ts';
import { onlyOnce, useSteps } from './steps.ts';
import { words } from './texts/index.ts';
import { undo } from './undo.ts';
import { Wrong } from './wrong.tsx';

export function EditBar({ table, view, search, onShow }: TabProps) {
  const last = useLastSave(table.id);
  const [undone, setUndone] = useState<LastSave['kind'] | null>(null);
  const { isBusy, wrong, run } = useSteps(() => undefined);
  useEffect(() => {
    if (last !== null) setUndone(null);
  }, [last]);
  const undoLast = async (save: LastSave, signal: AbortSignal) => {
    await undo(save, signal);
    setUndone(save.kind);
    // The user has agreed to leave an unsaved form.
    setUnsaved(false);
    // The open panel would still show the record as it was saved.
    onShow({ panel: 'none', row: null });
    search.onWritten();
  };
  const toggle = (panel: Panel) => () => onShow({ panel: view.panel === panel ? 'none' : panel, row: null });
  const done = () => {
    onShow({ isEditing: false, panel: 'none', row: null });
    // The focused button is gone, so keyboard users would start at the top of the page.
    setTimeout(() => document.querySelector<HTMLElement>('.actions [aria-pressed]')?.focus());
  };
  return (
    <section class="edit-bar" aria-label={words.editing}>
      <Icon name="edit" />
      <p role="status">{undone === null ? words.editingHelp : words.undone[undone]}</p>
      {wrong !== null && (
        <div role="alert">
          <Wrong {...wrong} />
        </div>
      )}
      <span class="spring" />
      <span class="row">
        <button
          type="button"
          disabled={last === null}
          aria-busy={isBusy}
          onClick={(event) => last !== null && onlyOnce(event) && mayLeave() && run((signal) => undoLast(last, signal))}
        >
          <Icon name="undo" />
          {words.undo[last?.kind ?? 'save']}
        </button>
        <button type="button" aria-pressed={view.panel === 'import'} onClick={toggle('import')}>
          <Icon name="up" />
          {words.import}
        </button>
        <button type="button" aria-pressed={view.panel === 'add'} onClick={toggle('add')}>
          <Icon name="plus" />
          {words.addRecord}
        </button>
        <button type="button" class="primary" onClick={done}>
          {words.done}
        </button>
      </span>
    </section>
  );
}
