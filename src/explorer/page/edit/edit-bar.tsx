/** The bar of the Edit mode: what can be done with the table as a whole. */
import type { Panel } from '../ask/question.ts';
import { Icon } from '../parts/icon.tsx';
import type { TabProps } from '../parts/tab-props.ts';
import { words } from './texts/index.ts';

export function EditBar({ view, onShow }: TabProps) {
  const toggle = (panel: Panel) => () => onShow({ panel: view.panel === panel ? 'none' : panel, row: null });
  const done = () => {
    onShow({ isEditing: false, panel: 'none', row: null });
    // The focused button is gone, so keyboard users would start at the top of the page.
    setTimeout(() => document.querySelector<HTMLElement>('.actions [aria-pressed]')?.focus());
  };
  return (
    <section class="edit-bar" aria-label={words.editing}>
      <Icon name="edit" />
      <p>{words.editingHelp}</p>
      <span class="spring" />
      <span class="row">
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
