import type { Condition } from '../ask/conditions.ts';
import type { Marked } from '../ask/marks.ts';
import type { Question, View } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import type { Live } from './live.ts';
import type { Search } from './search.ts';

/** What every tab of a table gets. */
export interface TabProps {
  readonly table: Table;
  readonly view: View;
  /** The records that match the question, and their number. */
  readonly search: Search;
  readonly live: Live;
  /** Changes the view. `replace` makes the Back button skip the change. */
  onShow(part: Partial<View>, how?: 'push' | 'replace'): void;
  onChange(part: Partial<Question>): void;
  /** Adds conditions. They replace existing conditions on the same columns. */
  onAdd(conditions: readonly Condition[]): void;
}

/** What the content of the side panel gets. */
export interface PanelProps extends TabProps {
  readonly marked: Marked;
}
