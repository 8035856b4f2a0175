import type { Plan } from '../model/any-plan.ts';
import type { Counted, Counts, Total } from '../model/counts.ts';
import type { Access, Caller, CallerView, May, Resource, Result, Sealing } from '../model/http.ts';
import type { Dataset, DatedDataset, Extremes, Identity, Metadata } from '../model/metadata.ts';
import type { Sizes } from '../model/plan.ts';
import type { Ask } from '../model/question.ts';
import type { Rows } from '../model/rows.ts';
import type { Select } from '../model/select.ts';
import type { Table } from '../model/table.ts';
import type { Json, JsonObject } from '../model/value.ts';
import type { Steps } from '../values/slices.ts';
import type { End } from './query/cursor.ts';

/** The outcome of an executed plan. */
export interface Outcome {
  readonly rows: Rows | null;
  readonly total: Total | null;
  /** Set if records with equal sort values have no defined order, so that the next page may repeat or skip some. */
  readonly orderIsPartial?: true;
  /** Set if more records matched than we rank, so that the best match may be missing. */
  readonly rankWasLimited?: true;
  /** Set if rows may be missing because the upstream did not decide about them in time. */
  readonly isIncomplete?: true;
  /** The sizes of the table, in the outcome of a description. */
  readonly sizes?: Sizes | null;
  /** The end of the page, from which the next one continues; absent if the plan does not ask for it, or the page is empty. */
  readonly end?: End;
  /** The counts of the groups, in the outcome of an aggregate. */
  readonly counts?: Counts;
  /** How many records a query has counted. */
  readonly asked?: Counted;
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
  /** How deep JSON in a parameter may nest. */
  readonly depth: number;
}

/** The limits of an action, and what else it needs besides its parameters. */
export interface Bounds extends Limits {
  readonly sealing: Sealing;
  /** Set if answers must also have the members that CKAN dropped after 2.11; `actions` is the path for their links. Else null. */
  readonly older: { readonly actions: string } | null;
}

/** The type of a parameter, for docs and JSON Schema. (Values are coerced by the readers in `params.ts`.) */
export type ParameterType =
  /** The id or alias of a resource. */
  | 'resource'
  /** Ids and aliases of resources: one, or a list. */
  | 'resources'
  | 'text'
  | 'flag'
  /** A whole number from 0. */
  | 'count'
  /** Column names: a list, or one comma-separated string. */
  | 'columns'
  /** Sort clauses: a list, or one comma-separated string. */
  | 'sort'
  /** Words to find in any field, or an object such as `{"name": "words"}` for single fields. */
  | 'search'
  | 'filters'
  /** The name of a column, or an object with the name and the kind of ranges. */
  | 'groups'
  /** A list of groups. */
  | 'group list'
  /** Measures by name. */
  | 'measures'
  | 'object'
  /** A list of objects. */
  | 'records'
  /** One of a few words. `many`: a list of them. `orFlag`: or a boolean. */
  | { readonly words: readonly string[]; readonly orFlag?: true; readonly many?: true };

/** One parameter of an action, as used by docs/api.md, `help_show`, OpenAPI and the check for unknown parameters. */
export interface Parameter {
  readonly name: string;
  /** Another name of the parameter. */
  readonly also?: string;
  readonly type: ParameterType;
  /** The value if the parameter is absent; or the setting in `limits` that supplies it. */
  readonly default?: boolean | string | number | { readonly limit: keyof Limits };
  /** The setting in `limits` that caps a number: the action refuses or reduces a larger one. */
  readonly maxLimit?: keyof Limits;
  readonly required?: true;
  /** Set if CKAN has no such parameter. */
  readonly extension?: true;
  /** The effect of the parameter, in Markdown sentences. */
  readonly help: string;
}

/** The documentation of an action, the only source of `help_show`, docs/api.md and OpenAPI. */
export interface ActionDescription {
  readonly name: string;
  /** Whether the action may be called by GET, with its parameters in the query string. */
  readonly sideEffectFree: boolean;
  /** What the action does, in Markdown. */
  readonly help: string;
  /** All parameters, in the order of the docs. */
  readonly parameters: readonly Parameter[];
  /** An example call, which works on a table with the columns `id` and `name`. */
  readonly example: JsonObject;
}

/** A resource in the OpenAPI document. */
export interface SchemaResource {
  readonly id: string;
  /** The prefix of the resource's schema names. */
  readonly key: string;
}

/**
 * One action on a table: parameters → parsed → plan, and outcome → result. All functions are pure. `parse` must not depend on any
 * table, because it runs before the caller's permissions are checked, and its errors would reveal what the table has.
 */
export interface Action<Parsed> extends ActionDescription {
  /** The right that the caller needs on the resource. */
  readonly effect: 'read' | 'write';
  /** Set if the action also serves `_table_metadata`, the list of resources, which no database has as a table. */
  readonly servesTableMetadata?: true;
  /** Set if the result shows the caller's permissions and references, which are then part of the cache key. */
  readonly showsPermissions?: true;
  /** Set if the action also needs `access.aggregate`. */
  readonly needsAggregate?: true;
  /** The message of the 404 for an unknown resource. */
  unknown?(name: string): string;
  /** Throws a 409 that names every bad parameter at once. */
  parse(params: JsonObject, bounds: Bounds): Parsed;
  /** The id or alias of the resource; undefined if the call does not have it. */
  resource(parsed: Parsed): string | undefined;
  /** Whether the answer of a write reveals records, so that the caller also needs the right to read. */
  revealsRecords?(parsed: Parsed): boolean;
  /** Throws a 409 for errors that only the table shows: unknown columns, values that do not convert. */
  plan(parsed: Parsed, resource: Resource, bounds: Bounds, caller: Caller | null): Plan | Steps<Plan>;
  result(parsed: Parsed, table: Table, outcome: Outcome, bounds: Bounds, view: CallerView | null): Result;
  /** The JSON Schema of its results for one resource. */
  resultSchema(resource: SchemaResource): JsonObject;
}

/** An action whose parsed parameters are hidden in a closure, so that all actions on tables have one type. */
export interface TableAction extends Omit<Action<never>, 'parse' | 'resource' | 'revealsRecords' | 'plan' | 'result'> {
  readonly about: 'table';
  start(params: JsonObject, bounds: Bounds): ParsedCall;
}
export interface ParsedCall {
  readonly resource: string | undefined;
  readonly revealsRecords: boolean;
  /** The plan. For many records it is built in steps, so that other calls can run in between. */
  plan(resource: Resource, caller: Caller | null): Plan | Steps<Plan>;
  /** @param view what only this caller may see; null for an action that shows all callers the same */
  result(table: Table, outcome: Outcome, view: CallerView | null): Result;
}

/** A resource as one caller may see it. */
export interface VisibleResource {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly metadata: Metadata;
  readonly identity: Identity;
  readonly access: Access;
  readonly may: May;
  /** Null while the database or the table is unavailable. */
  readonly table: Table | null;
}

/** The gateway as one caller may see it. */
export interface Site {
  /** The public URL, with its base path. */
  readonly url: string;
  readonly title: string;
  /** The CKAN version that the gateway is compatible with. */
  readonly version: string;
  readonly actions: readonly AnyAction[];
  readonly limits: Limits;
  /** The resources that this caller may read. */
  resources(wanted?: WantedResources): Promise<Listed>;
  /** A resource by its id or alias; undefined if unknown. Throws the same 403 as a search if the caller may not read it. */
  resource(name: string): Promise<VisibleResource | undefined>;
  /** What only the database knows about listed resources, by id. Resources that are slow or have a row filter may be missing. */
  extremes(ids: readonly string[]): Promise<ReadonlyMap<string, Extremes>>;
  /** The planner's row estimates for listed resources, by id. */
  rowEstimates(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The catalogue's datasets, sorted by name. They hold public tables only, so every caller sees the same ones. */
  readonly datasets: readonly Dataset[];
  /** The same datasets with their last changes. */
  dated(datasets: readonly Dataset[]): Promise<readonly DatedDataset[]>;
}

/** Which resources to list. Both members save us questions to the upstream about other resources. */
export interface WantedResources {
  readonly matches?: (one: Described) => boolean;
  /** How many resources are enough. The list may have more. */
  readonly enough?: number;
}

/** The description of a resource, without what the caller may do with it. */
export type Described = Pick<VisibleResource, 'id' | 'aliases' | 'title' | 'description' | 'metadata' | 'table'>;

/** Resources that a caller may read. */
export interface Listed {
  /** The name of the caller; null for an anonymous one. */
  readonly caller: string | null;
  readonly resources: readonly VisibleResource[];
  /** False if the upstream did not decide about some resources in time. */
  readonly isComplete: boolean;
}

/** `upstream unless 404`: the gateway answers only if the upstream returns 404. `both`: the answer combines the lists of both. */
export type Answerer = 'gateway' | 'upstream' | 'upstream unless 404' | 'both';

/** For actions about the whole site, which an upstream always answers itself. */
export const byUpstream = (): Answerer => 'upstream';

/** An action that needs no database. */
export interface SiteAction extends ActionDescription {
  readonly about: 'site';
  /** Parameters that work on this site; null if no parameters do. Absent if `example` works everywhere. */
  exampleOn?(site: Site): JsonObject | null;
  /** Who answers a call if there is an upstream. */
  answeredBy(params: JsonObject, isResource: (name: string) => boolean, isAction: (name: string) => boolean): Answerer;
  /** Throws a 409 for bad parameters, and a 404 or 403 for a resource that the caller cannot see. */
  answer(params: JsonObject, site: Site): Json | Promise<Json>;
  /** The JSON Schema of its results. */
  readonly resultSchema: JsonObject;
}

/** An action that takes GET only, and answers with events until the client disconnects. Pure. */
export interface StreamAction extends ActionDescription {
  readonly about: 'stream';
  /** The message of the 404 for an unknown resource. */
  unknown(name: string): string;
  /** The ids and aliases of the resources, each once. Throws a 409 that names every bad parameter at once. */
  parse(params: JsonObject): readonly string[];
}

/** An action on the tables that the text of a SELECT names. All functions are pure. */
export interface SelectAction extends ActionDescription {
  readonly about: 'select';
  /** The text of the SELECT. Throws a 409 that names every bad parameter at once. */
  parse(params: JsonObject): string;
  /** @param tables by the names in the SELECT. Throws a `SqlFault` for errors that only the tables show. */
  plan(select: Select, tables: ReadonlyMap<string, Table>, bounds: Bounds): Ask;
  result(sql: string, outcome: Outcome, bounds: Bounds): Result;
  /** Parameters that work on this resource. */
  exampleOf(resource: string): JsonObject;
  /** The JSON Schema of its results. */
  readonly resultSchema: JsonObject;
}

export type AnyAction = TableAction | SiteAction | StreamAction | SelectAction;

/** Hides the type of an action's parsed parameters in a closure. */
export function action<Parsed>({
  parse,
  resource,
  revealsRecords,
  plan,
  result,
  ...description
}: Action<Parsed>): TableAction {
  return {
    ...description,
    about: 'table',
    start(params, bounds) {
      const parsed = parse(params, bounds);
      return {
        resource: resource(parsed),
        revealsRecords: revealsRecords?.(parsed) === true,
        plan: (resource, caller) => plan(parsed, resource, bounds, caller),
        result: (table, outcome, view) => result(parsed, table, outcome, bounds, view),
      };
    },
  };
}
