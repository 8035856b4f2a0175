/** The tab Data's side panel. Its content is loaded when it is opened. */
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { addressOf, type View } from '../ask/question.ts';
import { tableUrl } from '../ask/site.ts';
import type { PanelProps } from '../parts/tab-props.ts';
import { say } from '../texts/index.ts';
import { part } from './part.ts';

type Shown = Exclude<View['panel'], 'none'>;

const RecordPanel = part(async () => (await import('../record/record.tsx')).Record);
const Neighbours = part(async () => (await import('../record/record.tsx')).Neighbours);
const SmallMap = part(async () => (await import('../map/small-map.tsx')).SmallMap);
const RecordForm = part(async () => (await import('../edit/edit.ts')).RecordForm);
const RemoveRecord = part(async () => (await import('../edit/edit.ts')).RemoveRecord);

function OpenRecord(props: PanelProps & { readonly isEdited?: boolean }) {
  const { table, view } = props;
  return (
    <RecordPanel
      {...props}
      renderEdit={(form) => <RecordForm {...form} />}
      renderRemoval={(form) => <RemoveRecord {...form} />}
      renderPlace={(place) => (
        <SmallMap {...place} hrefOf={(at) => tableUrl(table.id) + addressOf({ ...view, tab: 'map', at })} />
      )}
    />
  );
}

const contents: Readonly<Record<Shown, ComponentType<PanelProps>>> = {
  record: (props) => <OpenRecord {...props} />,
  edit: (props) => <OpenRecord {...props} isEdited />,
  add: part(async () => (await import('../edit/edit.ts')).Add),
  import: part(async () => (await import('../edit/edit.ts')).Import),
  remove: part(async () => (await import('../edit/edit.ts')).RemoveMarked),
};

export function Panel({ of, ...props }: PanelProps & { readonly of: Shown }) {
  const name = of === 'edit' ? 'record' : of;
  const Content = contents[of];
  // Closing the panel removes the focused element. Move the focus to the grid's selected cell, so that keyboard users do not start at the top
  // of the page.
  useEffect(
    () => () =>
      void setTimeout(() => {
        const cell = document.querySelector<HTMLElement>('.grid [tabindex="0"], .record-list');
        if (document.activeElement === document.body) cell?.focus({ preventScroll: true });
      }),
    [],
  );
  const close = () => props.onShow({ panel: 'none', row: null });
  return (
    <section
      class={`panel of-${name}`}
      aria-label={say[name]}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && close()}
    >
      <div class="panel-head">
        {name === 'record' ? (
          <>
            <span class="soft">{say[of === 'edit' ? 'editRecord' : 'record']}</span>
            <Neighbours {...props} />
          </>
        ) : (
          <h2>{say[name]}</h2>
        )}
        <button type="button" class="quiet" aria-label={say.close} onClick={close}>
          ✕
        </button>
      </div>
      <Content key={of} {...props} />
    </section>
  );
}
