import { shownNumber } from '../parts/format.ts';
import { Name } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';
import type { Spot } from './asks.ts';
import type { Size } from './camera.ts';
import type { Cell } from './cells.ts';
import type { Point } from './projections.ts';

export interface TipProps {
  /** The point that the tip refers to. */
  readonly at: Point;
  readonly size: Size;
  readonly sizeLabel: string | null;
  /** Whether the digits of the size are grouped. */
  readonly isGrouped: boolean;
  readonly of: Spot | Cell;
}

/** What is under the pointer. Screen readers find it in the list. */
export function Tip({ at: [x, y], size, sizeLabel, isGrouped, of }: TipProps) {
  const isRight = x > size.width / 2;
  const isBelow = y > size.height / 2;
  const style = {
    ...(isRight ? { right: `${size.width - x + 12}px` } : { left: `${x + 12}px` }),
    ...(isBelow ? { bottom: `${size.height - y + 12}px` } : { top: `${y + 12}px` }),
  };
  if ('count' in of)
    return (
      <div class="map-tip" aria-hidden="true" style={style}>
        {say.count(shownCount(of.count), of.count)}
      </div>
    );
  return (
    <div class="map-tip" aria-hidden="true" style={style}>
      <b>
        <Name of={of.label} />
      </b>
      {sizeLabel !== null && (
        <span>
          {sizeLabel}: {of.size === null ? '–' : shownNumber(of.size, isGrouped)}
        </span>
      )}
    </div>
  );
}
