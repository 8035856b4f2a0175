import type { Column } from '../ask/columns.ts';
import { isList, isObject, type Json, type JsonObject, textOf } from '../ask/json.ts';
import type { Labels } from '../ask/labels.ts';
import { filtersTo, recordUrl } from '../ask/references.ts';
import { sameValue } from '../ask/same-value.ts';
import type { Table } from '../ask/table.ts';
import { CellValue, exactText } from '../parts/cell-value.tsx';
import { Copy } from '../parts/copy.tsx';
import { linkOf } from '../parts/links.ts';
import { lookOf } from '../parts/looks.ts';
import type { PanelProps } from '../parts/tab-props.ts';
import { Name, Value } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';
import { Term } from './term.tsx';

/** Longer text would make the browser slow. The copy button still copies all of it. */
const mostCharacters = 20_000;

export interface FieldProps extends Pick<PanelProps, 'onAdd'> {
  readonly table: Table;
  readonly record: JsonObject;
  readonly column: Column;
  readonly labels: Labels;
}

/** A record's field in full, with the actions for its value. */
export function Field(props: FieldProps) {
  const { record, column, onAdd } = props;
  const value = record[column.name] ?? null;
  const { only, without } = sameValue(column, value);
  return (
    <div class="field">
      <Term column={column} />
      <dd dir="auto">
        <FieldValue {...props} value={value} />
        {column.unit !== '' && value !== null && <small> {column.unit}</small>}
        <span class="acts">
          {only !== null && (
            <button type="button" class="quiet" onClick={() => onAdd([only])}>
              {say.filterTo}
            </button>
          )}
          {without !== null && (
            <button type="button" class="quiet" onClick={() => onAdd([without])}>
              {say.leaveOut}
            </button>
          )}
          <Copy class="quiet" text={() => textOf(value) ?? ''} />
        </span>
      </dd>
    </div>
  );
}

function FieldValue({ table, record, column, labels, value }: FieldProps & { readonly value: Json }) {
  const reference = table.references.find(({ fields }) => fields.includes(column.name));
  const filters = reference === undefined ? null : filtersTo(reference, record);
  if (reference !== undefined && filters !== null) {
    const label = labels.labelOf(column.name, value);
    return <Referred to={recordUrl(reference.resource, filters)} code={value} label={label} />;
  }
  const isLink = typeof value === 'string' && linkOf(value) !== null;
  if (value === null || isLink || ['number', 'time', 'bool'].includes(column.kind)) {
    const look = lookOf(column, table);
    return (
      <span title={exactText(value, column, look)}>
        <CellValue {...{ value, column, look }} isReached />
      </span>
    );
  }
  const shown = isList(value) || isObject(value) ? JSON.stringify(value, null, 2) : value;
  const rest = (textOf(shown) ?? '').length - mostCharacters;
  return (
    <>
      <Value value={shown} words={[]} most={mostCharacters} hasLines />
      {rest > 0 && <small> {say.moreCharacters(shownCount(rest))}</small>}
    </>
  );
}

interface ReferredProps {
  readonly to: string;
  readonly code: Json;
  readonly label: string | null;
}

/** The referenced record: its label with the code beside it, or the code alone until the label is loaded. */
function Referred({ to, code, label }: ReferredProps) {
  const shownCode = <Value value={code} words={[]} most={mostCharacters} />;
  return (
    <>
      <a href={to} data-inside="">
        {label === null ? shownCode : <Name of={label} />}
      </a>
      {label !== null && <code class="code-beside">{shownCode}</code>}
    </>
  );
}
