/** The panel beside the records. What it shows is loaded when it is opened. */
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Condition } from '../ask/conditions.ts';
import type { Pages } from '../ask/pages.ts';
import type { View } from '../ask/question.ts';
import type { Table, Total } from '../table-view.tsx';
import { say } from '../texts/index.ts';

export interface PanelProps {
  readonly table: Table;
  readonly view: View;
  readonly pages: Pages;
  readonly total: Total | null;
  onShow(part: Partial<View>): void;
  onAdd(conditions: readonly Condition[]): void;
}

type Shown = Exclude<View['panel'], 'none'>;

const parts: Readonly<Record<Shown, () => Promise<ComponentType<PanelProps>>>> = {
  summary: async () => (await import('../summary/summary.tsx')).Summary,
  record: async () => (await import('../record/record.tsx')).Record,
  api: async () => (await import('../code/api-panel.tsx')).ApiPanel,
};

export function Panel(props: PanelProps) {
  const { panel } = props.view;
  const [loaded, setLoaded] = useState<{ readonly of: string; readonly Part: ComponentType<PanelProps> } | null>(null);
  const aside = useRef<HTMLElement>(null);
  useEffect(() => {
    if (panel !== 'none') parts[panel]().then((Part) => setLoaded({ of: panel, Part }));
  }, [panel]);
  const close = () => props.onShow({ panel: 'none', row: null });
  const name = panel === 'none' ? '' : say[panel];
  return (
    <aside
      ref={aside}
      class={`panel of-${panel}`}
      aria-label={name}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && close()}
    >
      <div class="panel-head">
        <h2>{name}</h2>
        <button type="button" class="quiet" aria-label={say.close} onClick={close}>
          ✕
        </button>
      </div>
      {loaded?.of === panel && <loaded.Part {...props} />}
    </aside>
  );
}
