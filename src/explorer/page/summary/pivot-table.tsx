/** A comparison's table. A click on a cell, a row or a column filters by it. */
import { useEffect } from 'preact/hooks';
import { call } from '../ask/call.ts';
import type { Condition } from '../ask/conditions.ts';
import type { Labels } from '../ask/labels.ts';
import { paramsOf } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import { shownNumber, shownText, shownTime } from '../parts/format.ts';
import { useLoaded } from '../parts/hooks.ts';
import { useLabels } from '../parts/labels.ts';
import { lookOf } from '../parts/looks.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Name } from '../parts/value.tsx';
import { say, shownCount, summaryWords as words } from '../texts/index.ts';
import type { Comparison, Measure, Side } from './comparison.ts';
import { sumOf } from './decimals.ts';
import { rangeLabel, shortNumber, stepLabel } from './labels.ts';
import { type Pivot, pivotOf, pivotParams } from './pivot.ts';
import { Choice } from './pivot-choice.tsx';

export interface PivotTableProps extends TabProps {
  readonly comparison: Comparison;
}

export function PivotTable({ table, view, search, comparison, onAdd }: PivotTableProps) {
  const { sort: _, fields: __, ...found } = paramsOf(table.id, view.question);
  const request = { ...found, ...pivotParams(comparison) };
  const key = JSON.stringify([request, search.version]);
  const { data, error, isLoading, onRetry } = useLoaded(key, async (signal) => ({
    comparison,
    pivot: pivotOf((await call('datastore_aggregate', request, { signal, fresh: search.isFresh })).result, comparison),
  }));
  const [labels] = useLabels(table.references);
  useEffect(() => {
    const lines = data === null ? [] : [...data.pivot.rows, ...data.pivot.columns];
    const values = lines.flatMap(({ conditions }) => conditions).filter((one) => 'field' in one && one.op === 'eq');
    labels.read((field) => values.flatMap((one) => ('field' in one && one.field === field ? [one.value] : [])));
  }, [data]);
  if (error !== null) return <Trouble error={error} resource={table.id} onRetry={onRetry} />;
  if (data === null) return <p class="note">{say.loading}</p>;
  const { rows, shown, all, sampled } = data.pivot;
  return (
    <div class="pivot" aria-busy={isLoading}>
      {sampled !== null && <p class="note sampled">{say.sampled(shownCount(sampled))}</p>}
      {rows.length === 0 ? <p class="note">{words.nothing}</p> : <Body {...{ table, labels, onAdd }} {...data} />}
      {shown < all && <p class="note">{words.isPart(`${shownCount(shown)} / ${shownCount(all)}`)}</p>}
    </div>
  );
}

interface BodyProps extends Pick<TabProps, 'table' | 'onAdd'> {
  readonly labels: Labels;
  readonly comparison: Comparison;
  readonly pivot: Pivot;
}

function Body({ table, labels, comparison, pivot, onAdd }: BodyProps) {
  const { rows, columns, measure } = comparison;
  const hasTotals = pivot.total !== null;
  const name = words.measures[measure.fn];
  const resultOf = resultWith(measure, table);
  const title = measure.column === null ? name : `${name} ${words.of} ${measure.column.label}`;
  const line = (text: string | null, side: Side) =>
    text === null || text === '' ? null : lineLabel(text, side, table, labels);
  const shown = (text: string | null, conditions: readonly Condition[], names: string) => (
    <Choice text={text === null ? null : resultOf(text)} {...{ conditions, names, onAdd }} exact={text} />
  );
  const nameOf = (text: string | null, side: Side) => line(text, side) ?? (text === '' ? say.emptyText : say.noValue);
  return (
    <div class="scrolled">
      <table>
        <caption>
          <Name of={`${rows.column.label} × ${columns.column.label}`} /> <small>{title}</small>
        </caption>
        <thead>
          <tr>
            <td />
            {pivot.columns.map(({ text, conditions }) => (
              <th key={text} scope="col">
                <Choice
                  text={line(text, columns)}
                  {...{ conditions, onAdd }}
                  names={nameOf(text, columns)}
                  exact={text}
                />
              </th>
            ))}
            {hasTotals && <th scope="col">{words.all}</th>}
          </tr>
        </thead>
        <tbody>
          {pivot.rows.map(({ text, conditions, total }, at) => (
            <tr key={text}>
              <th scope="row">
                <Choice text={line(text, rows)} {...{ conditions, onAdd }} names={nameOf(text, rows)} exact={text} />
              </th>
              {pivot.columns.map((column, nth) => {
                const cell = pivot.cells[at]?.[nth] ?? null;
                const names = `${nameOf(text, rows)}, ${nameOf(column.text, columns)}`;
                return <td key={column.text}>{cell === null ? '–' : shown(cell.text, cell.conditions, names)}</td>;
              })}
              {hasTotals && <td class="total">{total === null ? '–' : resultOf(total)}</td>}
            </tr>
          ))}
        </tbody>
        {pivot.total !== null && <Totals columns={pivot.columns} total={pivot.total} resultOf={resultOf} />}
      </table>
    </div>
  );
}

interface TotalsProps extends Pick<Pivot, 'columns'> {
  readonly total: string;
  resultOf(text: string): string;
}

function Totals({ columns, total: all, resultOf }: TotalsProps) {
  return (
    <tfoot>
      <tr>
        <th scope="row">{words.all}</th>
        {columns.map(({ text, total }) => (
          <td key={text}>{total === null ? '–' : resultOf(total)}</td>
        ))}
        <td class="total">{resultOf(all)}</td>
      </tr>
    </tfoot>
  );
}

/** Writes results. Averages have 16 digits after the point, more than they are worth. The cell's tooltip has them all. */
function resultWith({ fn, column }: Measure, table: Table): (text: string) => string {
  if (fn === 'avg') return shortNumber;
  // The lowest year is a year, but a sum is an amount.
  const isGrouped = column === null || fn === 'sum' || lookOf(column, table).isGrouped;
  return (text) => shownNumber(text, isGrouped);
}

function lineLabel(text: string, { column, every, width }: Side, table: Table, labels: Labels): string {
  if (every !== null) return stepLabel(text, every) ?? shownTime(text);
  const { isGrouped } = lookOf(column, table);
  if (width !== '') return rangeLabel({ text, end: sumOf([text, width]) }, column, 'bins', isGrouped);
  return labels.labelOf(column.name, text) ?? shownText(text, column, isGrouped);
}
