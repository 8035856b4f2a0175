import type { ComponentChildren } from 'preact';
import { type Condition, isGroup } from '../ask/conditions.ts';
import type { Labels } from '../ask/labels.ts';
import { orderAfterWords, type Question } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import { conditionWords, inWords } from '../parts/condition-words.ts';
import { Icon } from '../parts/icon.tsx';
import { useConditionLabels } from '../parts/labels.ts';
import { Popover } from '../parts/popover.tsx';
import { Name } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { FilterForm } from './lazy-forms.ts';

export interface ChipsProps {
  readonly table: Table;
  readonly question: Question;
  onChange(part: Partial<Question>): void;
}

/** The search as chips. Each can be removed, and a condition can be edited. */
export function Chips({ table, question, onChange }: ChipsProps) {
  const { q, conditions, passed } = question;
  const [open, close] = say.quotes;
  const labels = useConditionLabels(table.references, conditions);
  if (conditions.length === 0 && q === '' && Object.keys(passed).length === 0) return null;
  const put = (at: number, by: readonly Condition[]) => onChange({ conditions: conditions.toSpliced(at, 1, ...by) });
  const drop = (name: string) =>
    onChange({ passed: Object.fromEntries(Object.entries(passed).filter(([one]) => one !== name)) });
  return (
    <ul class="chips" aria-label={say.filter}>
      {q !== '' && (
        <Chip
          removal={say.removeWords}
          onRemove={() => onChange({ q: '', sort: orderAfterWords(question, '', table.key) })}
        >
          <span class="chip-text" dir="auto">
            {open}
            <Name of={q} />
            {close}
          </span>
        </Chip>
      )}
      {Object.entries(passed).map(([name, value]) => (
        <Chip key={name} removal={say.removeFilter(name)} onRemove={() => drop(name)}>
          <code class="chip-text">{`${name}: ${value}`}</code>
        </Chip>
      ))}
      {conditions.map((condition, at) => (
        <Chip
          key={JSON.stringify(condition)}
          removal={say.removeFilter(inWords(condition, table, labels))}
          onRemove={() => put(at, [])}
        >
          <ConditionText {...{ table, labels, condition }} onDone={(by) => put(at, by)} />
        </Chip>
      ))}
      {conditions.length + Object.keys(passed).length > 1 && (
        <li class="clear">
          <button type="button" class="quiet" onClick={() => onChange({ q: '', conditions: [], sort: [], passed: {} })}>
            {say.clearAll}
          </button>
        </li>
      )}
    </ul>
  );
}

interface ChipProps {
  /** The accessible name of the button that removes the chip. */
  readonly removal: string;
  readonly children: ComponentChildren;
  onRemove(): void;
}

function Chip({ removal, children, onRemove }: ChipProps) {
  return (
    <li>
      {children}
      <button type="button" class="remove" aria-label={removal} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  );
}

interface ConditionTextProps extends Pick<ChipsProps, 'table'> {
  readonly labels: Labels;
  readonly condition: Condition;
  onDone(by: readonly Condition[]): void;
}

/** A condition as text. A click edits it, unless it is a group, which has no form. */
function ConditionText({ table, labels, condition, onDone }: ConditionTextProps) {
  const { what, values } = conditionWords(condition, table, labels);
  if (isGroup(condition)) return <code class="chip-text">{what}</code>;
  const text = (
    <span dir="auto">
      <Name of={what} />
      {values !== '' && ' '}
      {values !== '' && (
        <b>
          <Name of={values} />
        </b>
      )}
    </span>
  );
  return (
    <Popover button={text} label={say.changeFilter} class="chip-text">
      {(close) => (
        <FilterForm
          {...{ resource: table.id, columns: table.columns, condition, field: condition.field }}
          onDone={(by) => {
            close();
            onDone(by);
          }}
        />
      )}
    </Popover>
  );
}
