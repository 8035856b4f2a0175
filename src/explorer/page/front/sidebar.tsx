import { site } from '../ask/site.ts';
import { Name } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';
import { type FrontView, frontAddressOf, shows } from './address.ts';
import { chosenFrom, grouped, type ListedTable } from './tables.ts';

export interface SidebarProps {
  readonly view: FrontView;
  /** All tables. Their groups are offered even if a search finds none of their tables. */
  readonly all: readonly ListedTable[];
  /** The tables that the search words find. */
  readonly found: readonly ListedTable[];
  onView(to: FrontView): void;
}

/** The choices that narrow the list: groups, and kinds of tables. Each shows how many tables it would leave. */
export function Sidebar({ view, all, found, onView }: SidebarProps) {
  const groups = grouped(all, say.language).map(({ name }) => name);
  const kinds = shows.filter((kind) => all.some((one) => one.shows.has(kind)) && (kind !== 'edit' || site.edits));
  const item = (label: string, to: FrontView, isOn: boolean) => (
    <li key={label}>
      <a
        href={`${site.root}${frontAddressOf(to)}`}
        aria-current={isOn ? 'true' : undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          onView(to);
        }}
      >
        <span class="label" dir="auto">
          <Name of={label} />
        </span>
        <span class="count">{shownCount(chosenFrom(found, to).length)}</span>
      </a>
    </li>
  );
  return (
    <nav class="front-side" aria-label={say.front.narrow}>
      {groups.length > 1 && (
        <>
          <h2>{say.front.groups}</h2>
          <ul>
            {item(say.front.all, { ...view, group: null }, view.group === null)}
            {groups.map((group) => item(group || say.front.others, { ...view, group }, view.group === group))}
          </ul>
        </>
      )}
      {kinds.length > 0 && (
        <>
          <h2>{say.front.shows}</h2>
          <ul>
            {kinds.map((kind) => {
              const isOn = view.show.includes(kind);
              const show = isOn ? view.show.filter((one) => one !== kind) : [...view.show, kind];
              return item(say.front.show[kind], { ...view, show }, isOn);
            })}
          </ul>
        </>
      )}
    </nav>
  );
}
