import type { Column } from '../ask/columns.ts';
import { type Json, textOf } from '../ask/json.ts';
import type { Referred } from '../ask/references.ts';
import { say } from '../texts/index.ts';
import { shownText } from './format.ts';
import { Icon } from './icon.tsx';
import { linkOf } from './links.ts';
import type { Look } from './looks.ts';
import { Value } from './value.tsx';

export interface CellValueProps {
  readonly value: Json;
  readonly column: Column;
  readonly look: Look;
  /** The record that a value refers to, and its label; null if the column refers to no other table. */
  readonly referred?: Referred | null;
  /** The words to highlight. */
  readonly words?: readonly string[];
  /** Whether a link can be reached with Tab. In the grid, the arrow keys move between cells, and the bar below has the link. */
  readonly isReached?: boolean;
}

/** How many characters of a value are shown. */
const most = 200;
const noWords: readonly string[] = [];

/** A value as people read it: grouped digits, dates, yes and no, links. NULL is a dash, and the empty text is shown as nothing. */
export function CellValue(props: CellValueProps) {
  const { value, column, look, referred = null, words = noWords, isReached = false } = props;
  const text = textOf(value);
  if (text === null) return <span class="soft">–</span>;
  if (text === '') return null;
  if (referred !== null) {
    const { href, label } = referred(value);
    return (
      <a href={href} data-inside="" tabIndex={isReached ? undefined : -1}>
        <Value value={label ?? text} words={words} most={most} />
      </a>
    );
  }
  if (value === true) return <Icon name="yes" label={say.yes} />;
  if (value === false) return <span class="soft">{say.no}</span>;
  const link = column.kind === 'text' ? linkOf(text) : null;
  if (link === null) return <Value value={shownText(text, column, look.isGrouped)} words={words} most={most} />;
  return (
    <a
      href={link.href}
      tabIndex={isReached ? undefined : -1}
      {...(link.isMail ? {} : { target: '_blank', rel: 'noopener noreferrer' })}
    >
      <Value value={link.shown} words={words} most={most} />
      {!link.isMail && <small aria-hidden="true"> ↗</small>}
    </a>
  );
}

/** The exact value, if the cell shows it in another form; undefined if the cell already shows just that. */
export function exactText(value: Json, column: Column, look: Look, isReference = false): string | undefined {
  const text = textOf(value);
  if (text === null) return say.noValue;
  if (text === '') return say.emptyText;
  if (isReference) return text;
  if (column.kind === 'text') return linkOf(text)?.href;
  return shownText(text, column, look.isGrouped) === text ? undefined : text;
}
