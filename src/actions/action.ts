import type { Access, Caller, Resource, Result, Sealing } from '../model/http.ts';
import type { Plan, Sizes } from '../model/plan.ts';
import type { Rows } from '../model/rows.ts';
import type { Table } from '../model/table.ts';
import type { Json, JsonObject } from '../model/value.ts';
import type { Steps } from '../values/slices.ts';
import type { End } from './query/cursor.ts';

/** What a plan gave when it was executed. */
export interface Outcome {
  readonly rows: Rows | null;
  readonly total: { readonly count: number; readonly estimated: boolean } | null;
  /** Of a description. */
  readonly sizes?: Sizes | null;
  /** Absent where the plan does not ask for it, and of a page without records. */
  readonly end?: End;
}

/** The bounds an action must keep, from the configuration. */
export interface Limits {
  readonly rowsDefault: number;
  readonly rowsMax: number;
  readonly maxOffset: number | null;
  readonly inValues: number;
  readonly qWords: number;
  readonly qBytes: number;
  readonly recordsPerUpsert: number;
  /** Nesting of JSON inside a parameter. */
  readonly depth: number;
}

/** What an action is given beside its parameters. */
export interface Bounds extends Limits {
  readonly sealing: Sealing;
  /** Where actions are called, for what answers had more until CKAN 2.11; null: they have not. */
  readonly older: { readonly actions: string } | null;
}

/** What a parameter takes, as far as people and JSON Schema need to know; the coercions are the readers' (`params.ts`). */
export type ParameterType =
  /** The id or alias of a resource. */
  | 'resource'
  | 'text'
  | 'flag'
  /** A whole number from 0. */
  | 'count'
  /** Names of columns: a list, or one text with commas. */
  | 'columns'
  /** Sort clauses: a list, or one text with commas. */
  | 'sort'
  /** Words for every field, or an object of field and words. */
  | 'search'
  | 'filters'
  /** A list of objects. */
  | 'records'
  | { readonly words: readonly string[]; readonly orFlag?: true };

/** One parameter of an action: README, `help_show`, OpenAPI and the check for unknown parameters read it here. */
export interface Parameter {
  readonly name: string;
  /** Another name of it. */
  readonly also?: string;
  readonly type: ParameterType;
  /** What holds where it is absent, or the limit of the configuration that says so. */
  readonly default?: boolean | string | number | { readonly limit: keyof Limits };
  /** The limit that a number keeps, or is cut to. */
  readonly most?: keyof Limits;
  readonly required?: true;
  /** CKAN has no such parameter. */
  readonly extension?: true;
  /** Sentences that say what it does, in Markdown. */
  readonly help: string;
}

/** What people and programs are told of an action: `help_show`, README and OpenAPI say nothing else. */
export interface Described {
  readonly name: string;
  /** May be called by GET, with its parameters in the query string (contract 1.2). */
  readonly sideEffectFree: boolean;
  /** What it does, in Markdown. */
  readonly help: string;
  /** All that it takes, in the order in which they are shown. */
  readonly parameters: readonly Parameter[];
  /** A call that works, against a table with the columns `id` and `name`. */
  readonly example: JsonObject;
}

/**
 * One action on a table: parameters → asked → plan, and what the plan gave → result. All pure.
 * `parse` may not look at any table: it runs before the caller's rights are known (design part 2).
 */
export interface Action<Asked> extends Described {
  /** What the caller must be allowed to do to the resource. */
  readonly effect: 'read' | 'write';
  /** It answers for `_table_metadata`, too, which is no table of a database. */
  readonly lists?: true;
  /** What a 404 says of a name that is no resource. */
  unknown?(name: string): string;
  /** Throws a 409 that names every bad parameter at once. */
  parse(params: JsonObject, bounds: Bounds): Asked;
  /** The id or alias the call is about; undefined where it was not given. */
  resource(asked: Asked): string | undefined;
  /** Whether the answer of a write tells of records, which takes the right to read, too. */
  alsoReads?(asked: Asked): boolean;
  /** Throws a 409 for what only the table can tell: unknown columns, values that do not convert. */
  plan(asked: Asked, resource: Resource, bounds: Bounds, caller: Caller | null): Plan | Steps<Plan>;
  result(asked: Asked, table: Table, outcome: Outcome, bounds: Bounds): Result;
}

/** An action with its `Asked` closed over, so that all actions on tables have one type. */
export interface TableAction extends Omit<Action<never>, 'parse' | 'resource' | 'alsoReads' | 'plan' | 'result'> {
  readonly about: 'table';
  start(params: JsonObject, bounds: Bounds): Started;
}
export interface Started {
  readonly resource: string | undefined;
  readonly alsoReads: boolean;
  /** Many records are planned in steps. */
  plan(resource: Resource, caller: Caller | null): Plan | Steps<Plan>;
  result(table: Table, outcome: Outcome): Result;
}

/** A resource as one caller may see it. */
export interface Listed {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly access: Access;
  /** Null while its database or its table is away. */
  readonly table: Table | null;
}

/** What one caller may know of the whole gateway. */
export interface Site {
  /** Where clients find it, with its base path. */
  readonly url: string;
  readonly title: string;
  /** The version of CKAN it answers like. */
  readonly version: string;
  readonly actions: readonly AnyAction[];
  /** All that this caller may read. */
  readonly resources: readonly Listed[];
  /** By id or alias; undefined where there is none. Throws the 403 of a search where the caller may not read it. */
  resource(name: string): Listed | undefined;
}

/** An action that no database is asked for. Pure. */
export interface SiteAction extends Described {
  readonly about: 'site';
  /** Whether this gateway answers, where an application behind it would, too. */
  isOurs(params: JsonObject, isResource: (name: string) => boolean, isAction: (name: string) => boolean): boolean;
  /** Throws a 409 for bad parameters, a 404 or 403 for what cannot be shown. */
  answer(params: JsonObject, site: Site): Json;
}

export type AnyAction = TableAction | SiteAction;

/** Closes an action over what its `parse` returned. */
export function action<Asked>({ parse, resource, alsoReads, plan, result, ...facts }: Action<Asked>): TableAction {
  return {
    ...facts,
    about: 'table',
    start(params, bounds) {
      const asked = parse(params, bounds);
      return {
        resource: resource(asked),
        alsoReads: alsoReads?.(asked) === true,
        plan: (resource, caller) => plan(asked, resource, bounds, caller),
        result: (table, outcome) => result(asked, table, outcome, bounds),
      };
    },
  };
}
