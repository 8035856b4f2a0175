import type { Column } from '../ask/columns.ts';
import { type Condition, isGroup } from '../ask/conditions.ts';
import type { Question } from '../ask/question.ts';
import { Popover } from '../parts/popover.tsx';
import { Name } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { FilterForm } from './forms.ts';
import { inWords } from './operators.ts';

export interface ChipsProps {
  readonly resource: string;
  readonly columns: readonly Column[];
  readonly question: Question;
  onChange(part: Partial<Question>): void;
}

/** The conditions as chips. Each can be edited and removed. */
export function Chips({ resource, columns, question, onChange }: ChipsProps) {
  const { q, conditions, passed } = question;
  if (conditions.length === 0 && q === '' && Object.keys(passed).length === 0) return null;
  const put = (at: number, by: readonly Condition[]) => onChange({ conditions: conditions.toSpliced(at, 1, ...by) });
  return (
    <ul class="chips" aria-label={say.filter}>
      {q !== '' && (
        <li>
          <span class="chip-text" dir="auto">
            “<Name of={q} />”
          </span>
          <button
            type="button"
            class="remove"
            aria-label={say.removeWords}
            onClick={() => onChange({ q: '', sort: [] })}
          >
            ✕
          </button>
        </li>
      )}
      {Object.entries(passed).map(([name, value]) => (
        <li key={name}>
          <code class="chip-text">{`${name}: ${value}`}</code>
          <button
            type="button"
            class="remove"
            aria-label={say.removeFilter(name)}
            onClick={() =>
              onChange({ passed: Object.fromEntries(Object.entries(passed).filter(([one]) => one !== name)) })
            }
          >
            ✕
          </button>
        </li>
      ))}
      {conditions.map((condition, at) => {
        const words = inWords(condition, columns);
        return (
          <li key={JSON.stringify(condition)}>
            {isGroup(condition) ? (
              <code class="chip-text">{words}</code>
            ) : (
              <Popover
                button={
                  <span dir="auto">
                    <Name of={words} />
                  </span>
                }
                label={say.changeFilter}
                class="chip-text"
              >
                {(close) => (
                  <FilterForm
                    {...{ resource, columns, condition, field: condition.field }}
                    onDone={(by) => {
                      close();
                      put(at, by);
                    }}
                  />
                )}
              </Popover>
            )}
            <button type="button" class="remove" aria-label={say.removeFilter(words)} onClick={() => put(at, [])}>
              ✕
            </button>
          </li>
        );
      })}
      <li class="clear">
        <button type="button" class="quiet" onClick={() => onChange({ q: '', conditions: [], sort: [], passed: {} })}>
          {say.clearAll}
        </button>
      </li>
    </ul>
  );
}
