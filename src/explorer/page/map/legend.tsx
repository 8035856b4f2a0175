import { say, shownCount, mapWords as words } from '../texts/index.ts';
import type { InView } from './asks.ts';
import { shadeOf } from './draw.ts';
import { legendValues, radiusOf } from './sizes.ts';

const compact = new Intl.NumberFormat(say.language, { notation: 'compact', maximumSignificantDigits: 6 });

export interface LegendProps {
  readonly shown: InView | null;
  readonly sizeLabel: string | null;
  /** The largest value of the column that gives the size: its circle is the largest. */
  readonly greatest: number;
  /** The values of the records in view. */
  readonly sizes: readonly number[];
}

/** What sizes and shades mean; nothing where all points are alike. */
export function Legend({ shown, sizeLabel, greatest, sizes }: LegendProps) {
  const most = shown?.cells[0]?.count ?? 0;
  if (most > 0)
    return (
      <div class="legend">
        <b>{words.perCell}</b>
        <ul>
          {[...new Set([1, Math.round(Math.sqrt(most)), most])].map((count) => (
            <li key={count}>
              <i class="cell" style={{ opacity: shadeOf(count, most) }} />
              {shownCount(count)}
            </li>
          ))}
        </ul>
      </div>
    );
  const values = sizeLabel === null ? [] : legendValues(Math.min(...sizes), Math.max(...sizes));
  if (values.length === 0) return null;
  return (
    <div class="legend">
      <b dir="auto">{sizeLabel}</b>
      <ul>
        {values.map((value) => {
          const side = `${2 * radiusOf(value, greatest)}px`;
          return (
            <li key={value}>
              <i style={{ width: side, height: side }} />
              {compact.format(value)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
