import type { JsonObject } from '../ask/json.ts';
import { Value } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';
import type { Bucket, Summarized } from './buckets.ts';

export interface BarsProps {
  readonly data: Summarized;
  /** The column's label. */
  readonly label: string;
  /** The filters that find the records without a value. */
  readonly nullFilters: JsonObject;
  onPick(bucket: Pick<Bucket, 'filters'>): void;
}

/** Values with their counts. The bars are cells in a real table, so that screen readers can read them. */
export function Bars({ data, label, nullFilters, onPick }: BarsProps) {
  const { buckets, nulls, others, otherValues, total } = data;
  const nullBucket = { text: null, end: null, count: nulls, filters: nullFilters };
  const all = nulls > 0 ? [...buckets, nullBucket] : buckets;
  const maxCount = Math.max(1, ...all.map(({ count }) => count));
  return (
    <table class="bars">
      <thead class="unseen-label">
        <tr>
          <th scope="col">{label}</th>
          <th scope="col">{say.records}</th>
          <th scope="col">{say.share}</th>
        </tr>
      </thead>
      <tbody>
        {all.map((bucket) => (
          <tr key={JSON.stringify(bucket.filters)}>
            <td>
              <button type="button" class="bar" onClick={() => onPick(bucket)}>
                <span class="fill" style={{ width: `${(bucket.count / maxCount) * 100}%` }} />
                <span class="bar-text" dir="auto">
                  <Label text={bucket.text} />
                </span>
              </button>
            </td>
            <td class="number">{shownCount(bucket.count)}</td>
            <td class="number soft">{share(bucket.count, total)}</td>
          </tr>
        ))}
        {others > 0 && (
          <tr class="soft">
            <td class="bar-text">
              {otherValues === null ? say.others : say.othersOf(shownCount(otherValues), otherValues)}
            </td>
            <td class="number">{shownCount(others)}</td>
            <td class="number">{share(others, total)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** A value's label. NULL and the empty text are in italics, so that they cannot be confused with a text of the same words. */
function Label({ text }: { readonly text: string | null }) {
  if (text === null || text === '') return <i class="null">{text === null ? say.noValue : say.emptyText}</i>;
  return <Value value={text} words={[]} most={80} />;
}

const percent = new Intl.NumberFormat(say.language, { style: 'percent', maximumSignificantDigits: 2 });

function share(count: number, total: number): string {
  return total === 0 ? '' : percent.format(count / total);
}
