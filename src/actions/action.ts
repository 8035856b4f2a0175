import type { Counts, Total } from '../model/counts.ts';
import type { Access, Caller, May, Resource, Result, Sealing } from '../model/http.ts';
import type { Plan, Sizes } from '../model/plan.ts';
import type { Rows } from '../model/rows.ts';
import type { Table } from '../model/table.ts';
import type { Json, JsonObject } from '../model/value.ts';
import type { Steps } from '../values/slices.ts';
import type { End } from './query/cursor.ts';

/** The outcome of an executed plan. */
export interface Outcome {
  readonly rows: Rows | null;
  readonly total: Total | null;
  /** Other pages may repeat or lose records: nothing orders those that the sort leaves equal. */
  readonly orderIsPartial?: true;
  /** Only the first hits are ranked. */
  readonly rankWasLimited?: true;
  /** Of a description. */
  readonly sizes?: Sizes | null;
  /** Absent where the plan does not ask for it, and for a page without records. */
  readonly end?: End;
  /** Of groups. */
  readonly counts?: Counts;
}

/** The limits of an action, from the configuration. */
export interface Limits {
  readonly rowsDefault: number;
  readonly rowsMax: number;
  readonly maxOffset: number | null;
  readonly inValues: number;
  readonly qWords: number;
  readonly qBytes: number;
  readonly recordsPerUpsert: number;
  readonly responseBytes: number;
  /** Nesting of JSON inside a parameter. */
  readonly depth: number;
}

/** The inputs of an action beside its parameters. */
export interface Bounds extends Limits {
  readonly sealing: Sealing;
  /** The path of the actions, for members that answers had until CKAN 2.11; null for newer answers. */
  readonly older: { readonly actions: string } | null;
}

/** The type of a parameter, for docs and JSON Schema; the readers do the coercions (`params.ts`). */
export type ParameterType =
  /** The id or alias of a resource. */
  | 'resource'
  /** Ids and aliases of resources: one, or a list. */
  | 'resources'
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
  /** The name of a column, or an object of it and the size of ranges. */
  | 'groups'
  /** A list of objects. */
  | 'records'
  | { readonly words: readonly string[]; readonly orFlag?: true };

/** One parameter of an action, as used by docs/api.md, `help_show`, OpenAPI and the check for unknown parameters. */
export interface Parameter {
  readonly name: string;
  /** Another name of it. */
  readonly also?: string;
  readonly type: ParameterType;
  /** The value where it is absent, or the limit in the configuration that holds it. */
  readonly default?: boolean | string | number | { readonly limit: keyof Limits };
  /** The limit of a number; larger numbers are refused or reduced. */
  readonly most?: keyof Limits;
  readonly required?: true;
  /** CKAN has no such parameter. */
  readonly extension?: true;
  /** Sentences about its effect, in Markdown. */
  readonly help: string;
}

/** The documentation of an action, the only source of `help_show`, docs/api.md and OpenAPI. */
export interface Described {
  readonly name: string;
  /** May be called by GET, with its parameters in the query string (contract 1.2). */
  readonly sideEffectFree: boolean;
  /** Its effect, in Markdown. */
  readonly help: string;
  /** All of its parameters, in the order in which they are shown. */
  readonly parameters: readonly Parameter[];
  /** A call that works, against a table with the columns `id` and `name`. */
  readonly example: JsonObject;
}

/** A resource in the OpenAPI document. */
export interface SchemaResource {
  readonly id: string;
  /** The names of its schemas begin with it. */
  readonly key: string;
}

/**
 * One action on a table: parameters → asked → plan, and outcome → result. All pure. `parse` must not read any table: it runs
 * before the caller's rights are checked (docs/architecture.md).
 */
export interface Action<Asked> extends Described {
  /** The right that the caller needs on the resource. */
  readonly effect: 'read' | 'write';
  /** It also serves `_table_metadata`, which is no table of a database. */
  readonly lists?: true;
  /** Its result depends on the permissions of the caller, so callers with others need another cache entry. */
  readonly tellsMay?: true;
  /** It needs `access.aggregate`, too. */
  readonly groups?: true;
  /** The text of a 404 for a name that is no resource. */
  unknown?(name: string): string;
  /** Throws a 409 that names every bad parameter at once. */
  parse(params: JsonObject, bounds: Bounds): Asked;
  /** The id or alias of the resource; undefined where it was not given. */
  resource(asked: Asked): string | undefined;
  /** Whether the answer of a write reveals records, which requires the right to read, too. */
  alsoReads?(asked: Asked): boolean;
  /** Throws a 409 for errors that only the table shows: unknown columns, values that do not convert. */
  plan(asked: Asked, resource: Resource, bounds: Bounds, caller: Caller | null): Plan | Steps<Plan>;
  result(asked: Asked, table: Table, outcome: Outcome, bounds: Bounds, may: May): Result;
  /** The JSON Schema of its results for one resource. */
  resultSchema(resource: SchemaResource): JsonObject;
}

/** An action with its `Asked` closed over, so that all actions on tables have one type. */
export interface TableAction extends Omit<Action<never>, 'parse' | 'resource' | 'alsoReads' | 'plan' | 'result'> {
  readonly about: 'table';
  start(params: JsonObject, bounds: Bounds): ParsedCall;
}
export interface ParsedCall {
  readonly resource: string | undefined;
  readonly alsoReads: boolean;
  /** Many records are planned in steps. */
  plan(resource: Resource, caller: Caller | null): Plan | Steps<Plan>;
  result(table: Table, outcome: Outcome, may: May): Result;
}

/** A resource as one caller may see it. */
export interface Listed {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly access: Access;
  readonly may: May;
  /** Null while its database or its table is unavailable. */
  readonly table: Table | null;
}

/** The gateway as one caller may see it. */
export interface Site {
  /** The public URL, with its base path. */
  readonly url: string;
  readonly title: string;
  /** The CKAN version that it is compatible with. */
  readonly version: string;
  readonly actions: readonly AnyAction[];
  readonly limits: Limits;
  /** The name of the caller's token; null for anonymous. */
  readonly caller: string | null;
  /** All that this caller may read. */
  readonly resources: readonly Listed[];
  /** By id or alias; undefined where there is none. Throws the 403 of a search where the caller may not read it. */
  resource(name: string): Listed | undefined;
}

/** `upstream unless 404`: the gateway answers only what the upstream does not have. `both`: the answer lists what either has. */
export type Answerer = 'gateway' | 'upstream' | 'upstream unless 404' | 'both';

/** An action that needs no database. Pure. */
export interface SiteAction extends Described {
  readonly about: 'site';
  /** Who answers a call where there is an upstream. */
  answeredBy(params: JsonObject, isResource: (name: string) => boolean, isAction: (name: string) => boolean): Answerer;
  /** Throws a 409 for bad parameters, a 404 or 403 for a resource that cannot be shown. */
  answer(params: JsonObject, site: Site): Json;
  /** The JSON Schema of its results. */
  readonly resultSchema: JsonObject;
}

/** An action that is called by GET alone, and answered by events until the client leaves. Pure. */
export interface StreamAction extends Described {
  readonly about: 'stream';
  /** The text of a 404 for a name that is no resource. */
  unknown(name: string): string;
  /** The ids and aliases of the resources, each once. Throws a 409 that names every bad parameter at once. */
  parse(params: JsonObject): readonly string[];
}

export type AnyAction = TableAction | SiteAction | StreamAction;

/** Closes an action over the result of its `parse`. */
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
        result: (table, outcome, may) => result(asked, table, outcome, bounds, may),
      };
    },
  };
}
