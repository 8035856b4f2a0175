/** The records on a phone: a list that shows four values of each record. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Json } from '../ask/json.ts';
import type { Pages, Row } from '../ask/pages.ts';
import { CellValue } from '../parts/cell-value.tsx';
import { Name } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { useScreen } from './screen.ts';
import type { Shown } from './widths.ts';

export interface RecordListProps {
  readonly pages: Pages;
  readonly columns: readonly Shown[];
  readonly words: readonly string[];
  readonly isOld: boolean;
  onOpen(row: number): void;
  /** Called when other rows come onto the screen, or have been loaded. */
  onScreen(first: number, last: number): void;
}

const itemHeight = 65;
/** How many records beyond the screen are loaded ahead. */
const readAhead = 60;
const noEdges: readonly number[] = [0];

export function RecordList({ pages, columns, words, isOld, onOpen, onScreen }: RecordListProps) {
  const box = useRef<HTMLDivElement>(null);
  const { first, last } = useScreen(box, pages.length, noEdges, itemHeight);
  useEffect(() => {
    pages.load(first, last + readAhead);
    onScreen(first, last);
  });
  useLayoutEffect(() => box.current?.scrollTo({ top: 0 }), [pages.name]);
  const four = fourOf(columns);
  const count = Math.max(0, last - first + 1);
  return (
    <div ref={box} class={`record-list${isOld ? ' old' : ''}`} tabIndex={-1}>
      <ul aria-label={say.records} aria-busy={isOld}>
        <li style={{ height: `${first * itemHeight}px` }} aria-hidden="true" class="gap" />
        {Array.from({ length: count }, (_, nth) => first + nth).map((at) => (
          <li key={at}>
            <button
              type="button"
              data-row={at}
              aria-label={pages.row(at) === undefined ? say.loading : undefined}
              onClick={() => onOpen(at)}
            >
              <Item row={pages.row(at)} {...{ four, words }} />
            </button>
          </li>
        ))}
        <li style={{ height: `${(pages.length - 1 - last) * itemHeight}px` }} aria-hidden="true" class="gap" />
      </ul>
    </div>
  );
}

interface ItemProps {
  /** Undefined while it is loading. */
  readonly row: Row | undefined;
  readonly four: readonly (Shown | undefined)[];
  readonly words: readonly string[];
}

function Item({ row, four, words }: ItemProps) {
  return four.map((shown, nth) => (
    <span key={nth} class={nth % 2 === 1 ? 'end' : ''} dir="auto">
      {row === undefined ? (
        <span class="wait" style={{ width: '80px' }} />
      ) : (
        shown !== undefined && (
          <>
            <ItemValue value={row[shown.at] ?? null} shown={shown} words={words} />
            {nth > 1 && shown.column.unit !== '' && ` ${shown.column.unit}`}
          </>
        )
      )}
    </span>
  ));
}

/** One value of a list item. A reference is shown as its label without a link, because the item is already a button. */
function ItemValue({
  value,
  shown,
  words,
}: {
  readonly value: Json;
  readonly shown: Shown;
  readonly words: readonly string[];
}) {
  const { column, look, referred } = shown;
  const label = value === null ? null : (referred?.(value).label ?? null);
  return label === null ? <CellValue {...{ value, column, look, words }} /> : <Name of={label} />;
}

/** A record's name and first amount, and below them a text and a time. If the table lacks one of these, the next column takes its place. */
function fourOf(columns: readonly Shown[]): readonly (Shown | undefined)[] {
  const [name, ...others] = columns;
  const isAmount = ({ look }: Shown) => look.isGrouped && look.icon !== 'place';
  // Prefer the amount that the records are sorted by, which has bars in the grid.
  const amount = others.find((one) => isAmount(one) && one.largest !== null) ?? others.find(isAmount);
  const more = others.filter((one) => one !== amount && one.look.icon !== 'key' && one.column.kind !== 'other');
  const time = more.find(({ column }) => column.kind === 'time');
  const isText = ({ column }: Shown) => column.kind === 'text';
  const rest = more.filter((one) => one !== time);
  const [third, ...last] = [...rest.filter(isText), ...rest.filter((one) => !isText(one))];
  return [name, ...(amount === undefined ? [last.shift()] : [amount]), third, time ?? last[0]];
}
