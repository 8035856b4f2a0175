import { useEffect, useState } from 'preact/hooks';
import { call } from '../ask/call.ts';
import { conditionsOf } from '../ask/conditions.ts';
import { isObject } from '../ask/json.ts';
import { paramsOf } from '../ask/question.ts';
import { shownText } from '../parts/format.ts';
import { useLoaded } from '../parts/hooks.ts';
import { useLabels } from '../parts/labels.ts';
import { lookOf } from '../parts/looks.ts';
import { Select } from '../parts/select.tsx';
import type { TabProps } from '../parts/tab-props.ts';
import { Trouble } from '../parts/trouble.tsx';
import { say, shownCount, summaryWords as words } from '../texts/index.ts';
import { Bars } from './bars.tsx';
import { type Bucket, byParams, type Step, type Summarized, stepsOf, summarized } from './buckets.ts';
import { Card, type CardProps } from './card.tsx';
import { Extremes } from './extremes.tsx';
import { Histogram } from './histogram.tsx';

export interface FacetProps extends CardProps, Pick<TabProps, 'view' | 'search' | 'onAdd'> {
  onRemove(): void;
}

/** One column's distribution. A click on a bar filters by it. */
export function Facet({ table, view, search, column, takesFocus, onAdd, onRemove }: FacetProps) {
  const { name, label } = column;
  const possible = stepsOf(column);
  const [step, setStep] = useState<Step>(possible[0] ?? 'value');
  const { sort: _, fields: __, ...found } = paramsOf(table.id, view.question);
  const request = { ...found, ...byParams(name, step) };
  const key = JSON.stringify([request, search.version]);
  const { data, error, isLoading, onRetry } = useLoaded(key, async (signal) => ({
    step,
    ...summarized((await call('datastore_aggregate', request, { signal, fresh: search.isFresh })).result),
  }));
  const pick = ({ filters }: Pick<Bucket, 'filters'>) => {
    const ofColumn = conditionsOf(filters).filter((one) => 'field' in one && one.field === name);
    onAdd(ofColumn);
  };
  const shown = data?.step === step ? data : null;
  const [labels] = useLabels(table.references);
  useEffect(() => {
    const values = (shown?.buckets ?? []).map(({ filters }) => filters[name] ?? null).filter((one) => !isObject(one));
    if (step === 'value') labels.read((field) => (field === name ? values : []));
  }, [shown]);
  const { kind } = column;
  const { isGrouped } = lookOf(column, table);
  const hasExtremes = kind === 'number' || kind === 'time';
  const aside = (
    <>
      <small>{shown !== null && step === 'value' ? distinctIn(shown) : column.unit}</small>
      {possible.length > 1 && <StepSelect all={possible} value={step} onValue={setStep} />}
      <button type="button" class="quiet" aria-label={say.removeSummary(label)} onClick={onRemove}>
        ✕
      </button>
    </>
  );
  return (
    <Card {...{ table, column, takesFocus, aside }} isBusy={isLoading}>
      {error !== null && <Trouble error={error} resource={table.id} onRetry={onRetry} />}
      {shown === null && error === null && <p class="note">{say.loading}</p>}
      {shown !== null && shown.sampled !== null && <p class="note sampled">{say.sampled(shownCount(shown.sampled))}</p>}
      {shown !== null && shown.buckets.length === 0 && shown.nulls === 0 && (
        <p class="note">{say.nothingToSummarize}</p>
      )}
      {shown !== null && hasExtremes && <Extremes {...{ table, search, column, found }} nulls={shown.nulls} />}
      {shown !== null &&
        (step === 'value' ? (
          <Bars
            {...{ label, onPick: pick }}
            data={labelled(shown, (text) => labels.labelOf(name, text) ?? shownText(text, column, isGrouped))}
            nullFilters={{ [name]: null }}
          />
        ) : (
          <Histogram data={shown} {...{ column, step, isGrouped, onPick: pick }} nullFilters={{ [name]: null }} />
        ))}
    </Card>
  );
}

interface StepSelectProps {
  readonly all: readonly Step[];
  readonly value: Step;
  onValue(step: Step): void;
}

function StepSelect(props: StepSelectProps) {
  return <Select isBare label={say.by} nameOf={(one) => say.steps[one]} {...props} />;
}

/** The number of distinct values, if the response tells it. */
function distinctIn({ buckets, others, otherValues }: Summarized): string {
  if (others > 0 && otherValues === null) return '';
  const values = buckets.length + (otherValues ?? 0);
  return words.values(shownCount(values), values);
}

const labelled = (data: Summarized, label: (text: string) => string): Summarized => ({
  ...data,
  buckets: data.buckets.map((bucket) => ({ ...bucket, text: bucket.text === null ? null : label(bucket.text) })),
});
