import { useEffect, useRef } from 'preact/hooks';
import { orderAfterWords, orderByKey, type Question } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import { phone, useMedia } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import { say, shownCount } from '../texts/index.ts';
import { Chips } from './chips.tsx';
import { ColumnsForm, FilterForm } from './lazy-forms.ts';

export interface ToolbarProps {
  readonly table: Table;
  readonly question: Question;
  /** Whether the columns of the tab can be chosen. */
  readonly hasColumns: boolean;
  onChange(part: Partial<Question>): void;
}

/** The search: words, filters, and which columns are shown. */
export function Toolbar({ table, question, hasColumns, onChange }: ToolbarProps) {
  const { id, columns } = table;
  const { q, conditions, fields, passed } = question;
  // A phone has no room for chips, so they are in the filter sheet.
  const isPhone = useMedia(phone);
  const chips = (q === '' ? 0 : 1) + conditions.length + Object.keys(passed).length;
  const [shown, all] = [shownCount(fields?.length ?? columns.length), shownCount(columns.length)];
  return (
    <div class="toolbar">
      <SearchBox {...{ table, question, onChange }} />
      {!isPhone && <Chips {...{ table, question, onChange }} />}
      <Popover
        button={
          <>
            <Icon name="plus" />
            {say.filter}
            {isPhone && chips > 0 && <small> {shownCount(chips)}</small>}
          </>
        }
        label={say.addFilter}
        class="add-filter"
      >
        {(close) => (
          <>
            {isPhone && <Chips {...{ table, question, onChange }} />}
            <FilterForm
              resource={id}
              columns={columns}
              field={columns[0]?.name ?? ''}
              condition={null}
              onDone={(more) => {
                close();
                onChange({ conditions: [...conditions, ...more] });
              }}
            />
          </>
        )}
      </Popover>
      <span class="spring" />
      {hasColumns && (
        <Popover
          button={
            <>
              <Icon name="columns" />
              <span>{say.columns}</span>
              {fields !== null && <small> {say.someOf(shown, all)}</small>}
            </>
          }
          label={say.columns}
          class="columns"
        >
          {() => <ColumnsForm columns={columns} fields={fields} onChange={(to) => onChange({ fields: to })} />}
        </Popover>
      )}
    </div>
  );
}

/** The input for words, and whether the records that match best come first: on a phone the list of orders offers this. */
function SearchBox({ table: { key, searched }, question, onChange }: Omit<ToolbarProps, 'hasColumns'>) {
  const { q, sort } = question;
  const input = useRef<HTMLInputElement>(null);
  const isPhone = useMedia(phone);
  useEffect(() => {
    if (input.current !== null) input.current.value = q;
  }, [q]);
  return (
    <>
      <search class="words">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const words = input.current?.value.trim() ?? '';
            onChange({ q: words, sort: orderAfterWords(question, words, key) });
          }}
        >
          <Icon name="find" />
          <input
            ref={input}
            type="search"
            aria-label={say.search}
            placeholder={say.search}
            title={say.searchIn(searched.slice(0, 12).join(', '))}
          />
        </form>
      </search>
      {q !== '' && key.length > 0 && !isPhone && (
        <label class="choice">
          <input
            type="checkbox"
            checked={sort.length === 0}
            onChange={(event) => onChange({ sort: event.currentTarget.checked ? [] : orderByKey(key) })}
          />
          {say.bestFirst}
        </label>
      )}
    </>
  );
}
