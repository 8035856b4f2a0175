/** The names that a part of a SELECT may use: the columns of its sources, as its caller sees them. */
import { SqlFault } from '../../model/select.ts';
import { byLabel, type Column } from '../../model/table.ts';
import { didYouMean } from '../../values/nearest.ts';
import { truncate } from '../../values/truncate.ts';

/** A source of records, and its name in the SELECT; null without one. */
export interface NamedSource {
  readonly alias: string | null;
  /** Its columns, each with its `source`. */
  readonly columns: readonly Column[];
  /** The columns that `*` stands for. */
  readonly shown: readonly Column[];
}

export class Scope {
  readonly sources: readonly NamedSource[];
  readonly #labels: ReadonlyMap<NamedSource, ReadonlyMap<string, Column>>;

  constructor(sources: readonly NamedSource[]) {
    this.sources = sources;
    this.#labels = new Map(sources.map((one) => [one, byLabel(one.columns)]));
  }

  /** The column of this name. Throws a `SqlFault` if there is none, or more than one. */
  column(source: string | null, name: string, at: number): Column {
    const [found, another] = this.#find(source, name, at);
    if (another !== undefined)
      throw new SqlFault(`"${truncate(name)}" is a field of several tables: put the name of one before it`, at);
    if (found !== undefined) return found;
    const known = this.#called(source, at).flatMap(({ columns }) => columns.map(({ label }) => label));
    throw new SqlFault(`Unknown field: ${truncate(name)}${didYouMean(name, known)}`, at);
  }

  /** Whether there is a column of this name. */
  has = (name: string): boolean => this.sources.some((one) => this.#labels.get(one)?.has(name) === true);

  /** The columns that `*`, or `source.*`, stands for. */
  all = (source: string | null, at: number): readonly Column[] =>
    this.#called(source, at).flatMap(({ shown }) => shown);

  #find(source: string | null, name: string, at: number): readonly Column[] {
    return this.#called(source, at).flatMap((one) => this.#labels.get(one)?.get(name) ?? []);
  }

  #called(source: string | null, at: number): readonly NamedSource[] {
    if (source === null) return this.sources;
    const called = this.sources.filter(({ alias }) => alias === source);
    if (called.length === 0) throw new SqlFault(`no table "${truncate(source)}" in FROM`, at);
    return called;
  }
}
