/** The side panel. Its content is loaded when it is opened. */
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Condition } from '../ask/conditions.ts';
import type { Pages } from '../ask/pages.ts';
import type { View } from '../ask/question.ts';
import type { Marked } from '../table/marks.ts';
import type { Table, Total } from '../table-view.tsx';
import { say } from '../texts/index.ts';
import { lazy } from './lazy.tsx';

export interface PanelProps {
  readonly table: Table;
  readonly view: View;
  readonly pages: Pages;
  readonly total: Total | null;
  readonly marked: Marked;
  onShow(part: Partial<View>): void;
  onAdd(conditions: readonly Condition[]): void;
  /** Called after a write, to load everything again. */
  onWritten(): void;
}

type Shown = Exclude<View['panel'], 'none'>;

const parts: Readonly<Record<Shown, ComponentType<PanelProps>>> = {
  summary: lazy(async () => (await import('../summary/summary.tsx')).Summary),
  record: lazy(async () => (await import('../extra.ts')).Record),
  api: lazy(async () => (await import('../extra.ts')).ApiPanel),
  add: lazy(async () => (await import('../edit/edit.ts')).Add),
  remove: lazy(async () => (await import('../edit/edit.ts')).RemoveMarked),
};

export function Panel({ of, ...props }: PanelProps & { readonly of: Shown }) {
  const Part = parts[of];
  // Closing the panel removes the focused element. We move the focus to the selected cell of the grid, so that keyboard users do not start at the top
  // of the page.
  useEffect(
    () => () =>
      void setTimeout(() => {
        const cell = document.querySelector<HTMLElement>('.grid [tabindex="0"]');
        if (document.activeElement === document.body) cell?.focus({ preventScroll: true });
      }),
    [],
  );
  const close = () => props.onShow({ panel: 'none', row: null });
  return (
    <section
      class={`panel of-${of}`}
      aria-label={say[of]}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && close()}
    >
      <div class="panel-head">
        <h2>{say[of]}</h2>
        <button type="button" class="quiet" aria-label={say.close} onClick={close}>
          ✕
        </button>
      </div>
      <Part key={of} {...props} />
    </section>
  );
}
