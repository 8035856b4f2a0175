import { addressOf, type TabName, type View } from '../ask/question.ts';
import { tableUrl } from '../ask/site.ts';
import { say } from '../texts/index.ts';

export interface TabStripProps {
  readonly resource: string;
  readonly view: View;
  readonly tabs: readonly TabName[];
  onShow(part: Partial<View>): void;
}

/** Links to the tabs. Each link keeps the search, so a tab can also be opened in a new window. */
export function TabStrip({ resource, view, tabs, onShow }: TabStripProps) {
  return (
    <nav class="tabs" aria-label={say.tabsOf}>
      {tabs.map((tab) => {
        const part = { tab, panel: 'none', isEditing: false, row: null } as const;
        return (
          <a
            key={tab}
            href={tableUrl(resource) + addressOf({ ...view, ...part })}
            aria-current={tab === view.tab ? 'page' : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
              event.preventDefault();
              if (tab !== view.tab) onShow(part);
            }}
          >
            {say.tabs[tab]}
          </a>
        );
      })}
    </nav>
  );
}
