/** The notice that no record matches: it shows how many would match without each filter. */
import { call } from '../ask/call.ts';
import { count } from '../ask/json.ts';
import type { Labels } from '../ask/labels.ts';
import { paramsOf, type Question } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import { inWords } from '../parts/condition-words.ts';
import { useLoaded } from '../parts/hooks.ts';
import { useConditionLabels } from '../parts/labels.ts';
import { Notice } from '../parts/notice.tsx';
import { say, shownCount } from '../texts/index.ts';

export interface NoMatchProps {
  readonly table: Table;
  readonly question: Question;
  onChange(part: Partial<Question>): void;
}

/** A part of the search that can be left out. */
interface Way {
  readonly without: string;
  readonly change: Partial<Question>;
}

/** The most counts to run at once: each one may read a large table. */
const mostWays = 4;
const whole = { q: '', conditions: [], passed: {} } as const;

export function NoMatch({ table, question, onChange }: NoMatchProps) {
  const labels = useConditionLabels(table.references, question.conditions);
  const all = waysOf(table, question, labels);
  const ways = all.length > 1 ? all.slice(0, mostWays) : [];
  const { data } = useLoaded(JSON.stringify(question), async (signal) =>
    Promise.all(
      [whole, ...ways.map(({ change }) => change)].map(async (change) => {
        const params = { ...paramsOf(table.id, { ...question, ...change, sort: [], fields: null }), limit: 0 };
        return count((await call('datastore_search', params, { signal })).result.total);
      }),
    ),
  );
  if (all.length === 0) return <p class="nothing">{say.noRecordsAtAll}</p>;
  const [total = 0, ...counts] = data ?? [];
  return (
    <Notice title={say.noRecords}>
      <p>{data === null ? say.counting : say.withoutFilters(say.count(shownCount(total), total))}</p>
      <div class="row">
        <button type="button" class="primary" onClick={() => onChange({ ...whole, sort: [] })}>
          {say.clearFilters(all.length)}
        </button>
        {ways.map(({ without, change }, nth) => {
          const found = counts[nth] ?? 0;
          return (
            found > 0 && (
              <button key={without} type="button" onClick={() => onChange(change)}>
                {say.withoutFilter(without, shownCount(found))}
              </button>
            )
          );
        })}
      </div>
    </Notice>
  );
}

/** The parts that can be left out: the words, and each filter. */
function waysOf(table: Table, { q, conditions, passed }: Question, labels: Labels): readonly Way[] {
  const { full_text: words, ...others } = passed;
  return [
    ...(q === '' ? [] : [{ without: q, change: { q: '' } }]),
    ...(words === undefined ? [] : [{ without: words, change: { passed: others } }]),
    ...conditions.map((condition, at) => ({
      without: inWords(condition, table, labels),
      change: { conditions: conditions.toSpliced(at, 1) },
    })),
  ];
}
