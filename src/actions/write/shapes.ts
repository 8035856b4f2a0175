/** Maps the field names of records to columns. Most records of a call have the same names, so we map each set of names once. */
import { invalid } from '../../model/errors.ts';
import type { Write } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import type { JsonObject } from '../../model/value.ts';
import { truncate } from '../../values/truncate.ts';
import { column, visibleKey } from '../query/columns.ts';
import { hint } from '../query/hint.ts';

/** The columns behind a record's field names, regardless of its values. */
export interface Shape {
  readonly names: readonly string[];
  /** The field of each name, in the order of `names`. */
  readonly fields: readonly Field[];
  readonly columns: readonly Column[];
  readonly key: { readonly columns: readonly Column[]; readonly at: readonly number[] } | null;
  /** Columns of the key that the record lacks. */
  readonly missing: readonly Column[];
  /** Whether a record that does not exist is inserted. */
  readonly inserts: boolean;
}

interface Field {
  readonly name: string;
  readonly column: Column;
  /** The index of the column among the columns of the shape. */
  readonly at: number;
  /** Set if an earlier name of the record means the same column; `label` is that name. `replaced`: the earlier name was `_id`. */
  readonly repeats: { readonly label: string; readonly replaced: boolean } | null;
  readonly isRefused: boolean;
}

/** Caches the shapes of the records of one call: each is computed for the first record that has it. */
export class Shapes {
  readonly #method: Write['method'];
  readonly #table: Table;
  readonly #columns = new Map<string, Column | undefined>();
  readonly #shapes = new Map<string, Shape>();
  readonly #id: readonly Column[];
  readonly #key: readonly Column[];
  readonly #maxNames: number;
  #last: Shape | null = null;

  constructor(method: Write['method'], table: Table) {
    this.#method = method;
    this.#table = table;
    const id = column(table, '_id');
    this.#id = id === undefined ? [] : [id];
    this.#key = visibleKey(table);
    this.#maxNames = 2 * table.labels.size;
  }

  /** The shape of a record. Throws a 409 for unknown names, and for an update or upsert without a key. */
  of(record: JsonObject, row: number): Shape {
    const names = Object.keys(record);
    const last = this.#last;
    if (last !== null && last.names.length === names.length && names.every((name, at) => name === last.names[at]))
      return last;
    // A record with more names than the table has columns will be refused, so don't cache its shape.
    if (names.length > this.#maxNames) return this.#make(names, row);
    const text = JSON.stringify(names);
    const shape = this.#shapes.get(text) ?? this.#make(names, row);
    this.#shapes.set(text, shape);
    this.#last = shape;
    return shape;
  }

  #make(names: readonly string[], row: number): Shape {
    return this.#method === 'insert' ? this.#inserted(names, row) : this.#keyed(names, row);
  }

  /** The shape of an insert. `_id` is refused unless a column really has this name; else the client must use the column's own name. */
  #inserted(names: readonly string[], row: number): Shape {
    const isNamedId = this.#id[0]?.name === '_id';
    const extra = this.#firstWrong(names, (name) => (name === '_id' && !isNamedId) || this.#column(name) === undefined);
    if (extra !== null)
      throw invalid({
        records: [`row "${row + 1}" has extra keys "${extra}"${this.#suggestion(extra)}`],
        records_row: row,
      });
    return { names, ...this.#fields(names, []), key: null, missing: [], inserts: true };
  }

  /** The shape of an update or upsert, which finds its record by `_id` if the record has it, else by the key. */
  #keyed(names: readonly string[], row: number): Shape {
    if (this.#id.length === 0 && names.includes('_id')) throw invalid({ fields: [noId(this.#key)], records_row: row });
    const unknown = this.#firstWrong(names, (name) => this.#column(name) === undefined);
    if (unknown !== null)
      throw invalid({ fields: [`fields "${unknown}" do not exist${hint(unknown, this.#table)}`], records_row: row });
    const byId = names.includes('_id');
    const key = byId ? this.#id : this.#key;
    if (key.length === 0 || (!byId && this.#table.keyIs === 'none'))
      throw invalid({ table: [`unique key must be passed for update/upsert: ${this.#keyAdvice()}`] });
    const { fields, columns } = this.#fields(names, key);
    const at = key.map((part) => columns.findIndex(({ name }) => name === part.name));
    const missing = key.filter((_, nth) => at[nth] === -1);
    return { names, fields, columns, key: { columns: key, at }, missing, inserts: this.#method === 'upsert' };
  }

  /** Advice for the refusal of a write to a table without a key. */
  #keyAdvice(): string {
    if (this.#id.length > 0) return 'this table has none but "_id"';
    return `this table has none that is visible${this.#method === 'upsert' ? ', so use method insert' : ''}`;
  }

  /** The fields of a record. A read-only column is refused unless it is in `key`, where it only identifies the record. */
  #fields(names: readonly string[], key: readonly Column[]): Pick<Shape, 'fields' | 'columns'> {
    const columns: Column[] = [];
    const places = new Map<string, number>();
    const fields = names.flatMap((name): readonly Field[] => {
      const of = this.#column(name);
      if (of === undefined) return [];
      const isRefused = of.readOnly && !key.some((part) => part.name === of.name);
      const at = places.get(of.name) ?? columns.length;
      const earlier = columns[at];
      const repeats = earlier === undefined ? null : { label: earlier.label, replaced: earlier.label === '_id' };
      if (repeats === null || repeats.replaced) columns[at] = of;
      places.set(of.name, at);
      return [{ name, column: of, at, repeats, isRefused }];
    });
    return { fields, columns };
  }

  /** The wrong names, but only as many as a refusal shows: a record may have fifty thousand. Null if there are none. */
  #firstWrong(names: readonly string[], isWrong: (name: string) => boolean): string | null {
    let text: string | null = null;
    for (const name of names) {
      if (!isWrong(name)) continue;
      text = text === null ? name : `${text}, ${name}`;
      if (truncate(text) !== text) break;
    }
    return text === null ? null : truncate(text);
  }

  /** The suggestion for an unknown name in an insert. */
  #suggestion(extra: string): string {
    if (extra !== '_id') return hint(extra, this.#table);
    const own = this.#table.columns.find(({ name, label }) => name === this.#id[0]?.name && label !== '_id');
    return own === undefined ? '' : `: it is "${own.label}" in a new record`;
  }

  #column(name: string): Column | undefined {
    if (!this.#columns.has(name)) this.#columns.set(name, column(this.#table, name));
    return this.#columns.get(name);
  }
}

function noId(key: readonly Column[]): string {
  const keys = key.map((part) => `"${part.label}"`).join(', ');
  return `fields "_id" do not exist${keys === '' ? '' : ` (the key of this table is ${keys})`}`;
}
