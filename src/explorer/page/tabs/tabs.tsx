/** A table's tabs, in the order of the strip. All show the same search; only Data is part of the first script. */
import type { ComponentChildren } from 'preact';
import type { TabName } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { Data } from './data.tsx';
import { part } from './part.ts';

export interface Tab {
  readonly name: TabName;
  /** Whether the search box and the filters are above the tab. */
  readonly hasFilters: boolean;
  isShown(table: Table): boolean;
  render(props: TabProps): ComponentChildren;
}

const Summary = part(async () => (await import('../summary/summary.tsx')).Summary);
const About = part(async () => (await import('../about/about.tsx')).About);
const MapTab = part(async () => (await import('../map/map.tsx')).MapTab);
const Api = part(async () => (await import('../code/api.tsx')).Api);

const data: Tab = { name: 'data', hasFilters: true, isShown: () => true, render: (props) => <Data {...props} /> };

export const tabs: readonly Tab[] = [
  data,
  {
    name: 'summary',
    hasFilters: true,
    isShown: ({ canSummarize }) => canSummarize,
    render: (props) => <Summary {...props} />,
  },
  {
    name: 'map',
    hasFilters: true,
    isShown: ({ coordinates }) => coordinates !== null,
    render: (props) => <MapTab {...props} />,
  },
  { name: 'about', hasFilters: false, isShown: () => true, render: (props) => <About {...props} /> },
  { name: 'api', hasFilters: true, isShown: () => true, render: (props) => <Api {...props} /> },
];

/** The tab that an address names; Data if there is no such tab. */
export const tabOf = (name: TabName): Tab => tabs.find((one) => one.name === name) ?? data;
