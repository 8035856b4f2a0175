/** Which rows of a resource each caller may see and write, by the configured filters. */
import { type Filters, where } from '../actions/query/filters.ts';
import { fillIn } from '../actions/query/row-template.ts';
import type { ResourceSettings } from '../config/assemble.ts';
import type { RowTemplate } from '../model/claim.ts';
import { Refusal } from '../model/errors.ts';
import type { Caller } from '../model/http.ts';
import { RowFilter } from '../model/row-filter.ts';
import { byLabel, type Table } from '../model/table.ts';
import { toJson } from '../values/json.ts';

/** How many characters of remembered filters a resource may have. There are as many filters as callers with different claims. */
const maxCharacters = 1_000_000;

/** The row filters of one resource. There may be thousands of resources, so one without filters costs next to nothing. */
export class RowRules {
  readonly #id: string;
  readonly #own: RowTemplate | null;
  /** Null while the table cannot be served. */
  readonly #table: Table | null;
  /** The filters made so far, by their JSON. A full map is cleared. */
  readonly #filters = new Map<string, RowFilter>();
  #characters = 0;

  constructor({ name, where: own }: Pick<ResourceSettings, 'name' | 'where'>, table: Table | null) {
    this.#id = name;
    this.#own = own;
    this.#table = table;
  }

  /** Whether there is a filter for this caller. */
  hasFilterFor(caller: Caller | null): boolean {
    return this.#own !== null || caller?.where.has(this.#id) === true;
  }

  /**
   * The rows that both the resource's filter and the token's filter allow. Null if the caller's claims do not say which: a claim is missing,
   * or does not fit its column.
   */
  of(caller: Caller | null): RowFilter | null {
    const templates = [this.#own, caller?.where.get(this.#id) ?? null].filter((one) => one !== null);
    if (templates.length === 0) return RowFilter.all;
    const filters = templates.map((one) => fillIn(one, caller?.claims ?? {}));
    const whole = filters.filter((one) => one !== null);
    if (whole.length < filters.length || this.#table === null) return null;
    const key = toJson(whole);
    const known = this.#filters.get(key);
    if (known !== undefined) return known;
    const made = filterOf(whole, forFilters(this.#table), key);
    if (made === null) return null;
    this.#characters += key.length;
    if (this.#characters > maxCharacters) {
      this.#filters.clear();
      this.#characters = key.length;
    }
    this.#filters.set(key, made);
    return made;
  }
}

/** The rows that all of these filters allow; null if a value does not fit its column. */
function filterOf(filters: readonly Filters[], table: Table, key: string): RowFilter | null {
  try {
    return new RowFilter({ op: 'all', of: filters.map((one) => where(one, table, filterLimits)) }, key);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** The limits for filters, generous because the operator writes them. */
export const filterLimits = { inValues: 60_000, qBytes: 1_000_000 };

/** The table as configured filters see it: with all columns, including hidden ones, by their names in the table. */
export const forFilters = (table: Table): Table => ({ ...table, columns: table.all, labels: byLabel(table.all) });
