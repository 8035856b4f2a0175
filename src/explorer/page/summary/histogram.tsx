import { max, ticks } from 'd3-array';
import { utcTicks } from 'd3-time';
import type { Column } from '../ask/columns.ts';
import { timeOf } from '../parts/moment.ts';
import { say, shownCount } from '../texts/index.ts';
import { Bars, type BarsProps } from './bars.tsx';
import type { Bucket, Step } from './buckets.ts';
import { rangeLabel, tickLabel } from './labels.ts';

export interface HistogramProps extends Omit<BarsProps, 'label'> {
  readonly column: Column;
  readonly step: Step;
  /** Whether the column's digits are grouped. */
  readonly isGrouped: boolean;
}

const [width, height, top, bottom] = [360, 132, 6, 20];
/** Space to the right of the bars, for the labels of the grid lines. */
const gutter = 44;
const plot = width - gutter;

/** The counts per range, as a chart and as a table. */
export function Histogram({ data, column, step, isGrouped, nullFilters, onPick }: HistogramProps) {
  const { others } = data;
  const buckets = data.buckets.map((bucket) => ({ ...bucket, label: rangeLabel(bucket, column, step, isGrouped) }));
  return (
    <>
      <Chart {...{ buckets, column, isGrouped, onPick }} />
      <details>
        <summary>{say.asTable}</summary>
        <Bars
          data={{ ...data, buckets: buckets.map((bucket) => ({ ...bucket, text: bucket.label })) }}
          {...{ label: say.range, nullFilters, onPick }}
        />
      </details>
      {others > 0 && <p class="note">{`${say.others}: ${shownCount(others)}`}</p>}
    </>
  );
}

interface ChartProps extends Pick<HistogramProps, 'column' | 'isGrouped' | 'onPick'> {
  readonly buckets: readonly (Bucket & { readonly label: string })[];
}

function Chart({ buckets, column, isGrouped, onPick }: ChartProps) {
  const isTime = column.kind === 'time';
  const ranges = buckets.map((bucket) => ({ bucket, ...edges(bucket, isTime) }));
  const [first, last] = [ranges[0], ranges.at(-1)];
  // `Date` ends with the year 275760; later times have no position on the axis.
  const hasPositions = ranges.every(({ from, to }) => Number.isFinite(from) && Number.isFinite(to));
  if (first === undefined || last === undefined || !hasPositions) return null;
  const axis = axisOf(first.from, last.to, isTime, isGrouped);
  const maxCount = max(buckets, ({ count }) => count) || 1;
  const y = (count: number) => height - bottom - (count / maxCount) * (height - bottom - top);
  const levels = ticks(0, maxCount, 2).filter((at) => at > 0 && Number.isInteger(at));
  return (
    <svg class="histogram" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={column.label}>
      {levels.map((at) => (
        <line key={at} class="rule" x1={0} x2={plot} y1={y(at)} y2={y(at)} />
      ))}
      {ranges.map(({ bucket, from, to }) => {
        const words = `${bucket.label}: ${say.count(shownCount(bucket.count), bucket.count)}`;
        const left = axis.at(from);
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table below has a button for each bar
          <g key={bucket.text} class="column" onClick={() => onPick(bucket)}>
            <title>{words}</title>
            <rect class="touch" x={left} width={Math.max(1, axis.at(to) - left)} y={0} height={height - bottom} />
            <rect
              class="fill"
              x={left + 0.5}
              width={Math.max(1, axis.at(to) - left - 1)}
              y={y(bucket.count)}
              height={Math.max(bucket.count > 0 ? 1 : 0, height - bottom - y(bucket.count))}
              rx={1.5}
            />
          </g>
        );
      })}
      {levels.map((at) => (
        <text key={at} class="level" x={width} y={y(at) + 4}>
          {shownCount(at)}
        </text>
      ))}
      <line class="axis" x1={0} x2={plot} y1={height - bottom} y2={height - bottom} />
      {axis.ticks.map(({ x, label }) => (
        <text key={label} x={x} y={height - 5} text-anchor={anchor(x)}>
          {label}
        </text>
      ))}
    </svg>
  );
}

/** A bar's edges. Its position may be rounded; its labels and filters use the exact texts. */
function edges({ text, end }: Bucket, isTime: boolean): { readonly from: number; readonly to: number } {
  const at = (value: string | null) => (isTime ? timeOf(value ?? '') : Number(value));
  return { from: at(text), to: at(end) };
}

interface Axis {
  readonly ticks: readonly { readonly x: number; readonly label: string }[];
  at(position: number): number;
}

/** Our own scale: `d3-scale` would be five times the code, because it includes colours and date formats. */
function axisOf(from: number, to: number, isTime: boolean, isGrouped: boolean): Axis {
  const tickCount = 4;
  const numberLabel = new Intl.NumberFormat(say.language, { maximumSignificantDigits: 12, useGrouping: isGrouped });
  const at = (position: number) => (to > from ? ((position - from) / (to - from)) * plot : 0);
  const times = () =>
    utcTicks(new Date(from), new Date(to), tickCount).map((time) => [time.getTime(), tickLabel(time)] as const);
  const numbers = () => ticks(from, to, tickCount).map((number) => [number, numberLabel.format(number)] as const);
  return { at, ticks: (isTime ? times() : numbers()).map(([position, label]) => ({ x: at(position), label })) };
}

const anchor = (x: number) => (x < 20 ? 'start' : x > plot - 20 ? 'end' : 'middle');
