import { useEffect, useRef } from 'preact/hooks';
import { flatParams, type Question, type View } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import { Popover } from '../parts/popover.tsx';
import { say, shownCount } from '../texts/index.ts';
import { ColumnsForm, DownloadForm, FilterForm } from './lazy-forms.ts';

export interface ToolbarProps {
  readonly table: Table;
  readonly view: View;
  /** The number of records, as text. */
  readonly says: string;
  /** Whether a download of all columns begins with `_id`, a copy of the key. */
  readonly hasId: boolean;
  onChange(part: Partial<Question>): void;
  onShow(part: Partial<View>): void;
}

export function Toolbar({ table, view, says, hasId, onChange, onShow }: ToolbarProps) {
  const { id, columns, binary } = table;
  const { question } = view;
  const { conditions, fields } = question;
  const [some, all] = [fields?.length ?? columns.length, columns.length + binary.length];
  const columnCount =
    some === all ? say.allColumns(shownCount(all)) : say.someColumns(shownCount(some), shownCount(all));
  const inFile = fields === null && hasId ? say.andId(columnCount) : columnCount;
  return (
    <div class="toolbar">
      <SearchBox {...{ table, question, onChange }} />
      <Popover button={say.filter} label={say.addFilter}>
        {(close) => (
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
        )}
      </Popover>
      <Popover
        button={fields === null ? say.columns : `${say.columns} ${fields.length}/${columns.length}`}
        label={say.columns}
      >
        {() => <ColumnsForm columns={columns} fields={fields} onChange={(to) => onChange({ fields: to })} />}
      </Popover>
      <span class="spring" />
      {table.canWrite && <AddButton {...{ view, onShow }} />}
      <Popover button={say.download} label={say.download} class="primary">
        {() => <DownloadForm resource={id} params={flatParams(question)} what={say.downloadWhat(says, inFile)} />}
      </Popover>
    </div>
  );
}

interface SearchBoxProps extends Pick<ToolbarProps, 'table' | 'onChange'> {
  readonly question: Question;
}

/** The input for words, and whether the records that match best come first. */
function SearchBox({ table: { key, searched }, question: { q, sort }, onChange }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) input.current.value = q;
  }, [q]);
  const byKey = key.map((field) => ({ field, isDescending: false }));
  return (
    <>
      <search class="words">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const words = input.current?.value.trim() ?? '';
            // Ranking by relevance reads every match. So the page orders by the key unless the user chooses otherwise.
            onChange({ q: words, sort: sort.length === 0 && words !== '' ? byKey : sort });
          }}
        >
          <input
            ref={input}
            type="search"
            aria-label={say.search}
            placeholder={say.search}
            title={say.searchIn(searched.slice(0, 12).join(', '))}
          />
        </form>
      </search>
      {q !== '' && key.length > 0 && (
        <label class="choice">
          <input
            type="checkbox"
            checked={sort.length === 0}
            onChange={(event) => onChange({ sort: event.currentTarget.checked ? [] : byKey })}
          />
          {say.bestFirst}
        </label>
      )}
    </>
  );
}

function AddButton({ view: { panel }, onShow }: Pick<ToolbarProps, 'view' | 'onShow'>) {
  return (
    <button
      type="button"
      aria-pressed={panel === 'add'}
      onClick={() => onShow({ tab: 'data', panel: panel === 'add' ? 'none' : 'add', row: null })}
    >
      {say.add}
    </button>
  );
}
