/** Pure. Proposes the configuration for a database's tables, from its catalogue and samples. */
import type { Catalog, CatalogTable, SurveyedTable } from '../model/catalog.ts';
import { type Column, isDeclaredBoolean } from '../model/table.ts';
import { freeId, idOf } from './ids.ts';
import { reasonToLeaveOut, unusable } from './left-out.ts';
import { type PrivacyOf, privacyIn, tableKey } from './privacy-in.ts';
import type { Privacy } from './private.ts';
import type { Evidence } from './values.ts';
import { allBelow, leakingViews } from './views.ts';
import { titleOf, wordsOf } from './words.ts';

/** What a survey found in a database. */
export interface Surveyed {
  /** The database's name in the configuration. */
  readonly name: string;
  /** The schema that a configuration may omit; null if the engine has no schemas. */
  readonly defaultSchema: string | null;
  /** `tables` are the tables to propose. `all` has every table in the database, because a proposed view may read any of them. */
  readonly tables: readonly SurveyedTable[];
  readonly all: readonly SurveyedTable[];
  readonly catalog: Catalog;
  readonly evidence: ReadonlyMap<CatalogTable, Evidence>;
  readonly privacy: PrivacyOf;
}

export interface Choices {
  readonly read: 'public' | 'token';
  readonly write: 'none' | 'token';
  /** `unusable` leaves out tables that cannot be served. `unwanted` also leaves out copies, migration tools' tables and the like. */
  readonly leaveOut: 'unusable' | 'unwanted';
  /** Whether the user asked for exactly this table, so that it is never left out as unwanted. */
  readonly named: (table: SurveyedTable) => boolean;
  /** The id to use for the table's resource; null to derive it from the table's name. `named`: that name becomes an alias. */
  readonly id: (table: SurveyedTable) => { readonly id: string; readonly named: boolean } | null;
  /** Whether to show a column although it has personal data. */
  readonly shown: (table: SurveyedTable, column: string) => boolean;
}

export interface Proposal {
  readonly database: string;
  readonly resources: readonly ProposedResource[];
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly table: SurveyedTable;
  readonly why: string;
}

export interface ProposedResource {
  /** The resource's id, followed by its aliases. */
  readonly ids: readonly string[];
  readonly table: SurveyedTable;
  readonly title: string | null;
  readonly key: Key;
  readonly columns: readonly ProposedColumn[];
  readonly search: { readonly columns: readonly string[]; readonly language: string | null } | null;
  /** The view's base tables that have secret or personal columns. */
  readonly readsHiddenOf: readonly string[];
  readonly access: Pick<Choices, 'read' | 'write'> & { readonly remark: string | null };
}

/** The key to propose: a primary key needs no setting, a unique key is written as `key`, and for `none` a comment says why. */
export type Key =
  | { readonly is: 'primary' }
  | { readonly is: 'unique'; readonly columns: readonly string[] }
  | { readonly is: 'none'; readonly why: string };

/** A column of a proposed resource, with its settings. */
export interface ProposedColumn {
  readonly name: string;
  readonly hidden: Privacy | 'no right' | null;
  /** Whether the column looks personal, but the operator chose to show it. */
  readonly isChosen: boolean;
  /** The setting `boolean` for a `tinyint(1)`; null to write none. */
  readonly boolean: boolean | null;
  readonly as: string | null;
  readonly notes: string | null;
  /** The reason for the column's settings, as a YAML comment. */
  readonly remark: string | null;
}

/**
 * Proposes resources for a database's tables.
 * @param taken the ids in use; this proposal's ids are added
 */
export function propose(surveyed: Surveyed, choices: Choices, taken: Set<string>): Proposal {
  const { defaultSchema, tables, catalog } = surveyed;
  const catalogTables = new Map(catalog.tables.map((table) => [tableKey(table), table]));
  const leftOut: LeftOut[] = [];
  const resources: ProposedResource[] = [];
  const hides = hidingTables(surveyed);
  const leaks = leakingViews(surveyed.all, catalog, surveyed.privacy, choices.leaveOut);
  for (const table of tables) {
    const catalogTable = catalogTables.get(tableKey(table)) ?? null;
    const why = choices.named(table)
      ? unusable(table, catalogTable, catalog.user)
      : (reasonToLeaveOut(table, catalogTable, catalog.user, choices.leaveOut) ?? leaks.get(tableKey(table)) ?? null);
    const columns = catalogTable === null ? [] : columnsOf(table, catalogTable, surveyed, choices);
    const isEmpty =
      catalogTable !== null && catalogTable.columns.length === columns.filter(({ hidden }) => hidden !== null).length;
    if (catalogTable === null || why !== null || isEmpty) {
      leftOut.push({ table, why: why ?? 'all of its columns would be hidden' });
      continue;
    }
    const chosenId = choices.id(table);
    const name = chosenId === null || chosenId.named ? freeId(idOf(table, defaultSchema), surveyed.name, taken) : null;
    if (chosenId !== null) taken.add(chosenId.id);
    const ids = [chosenId?.id ?? null, name].filter((one) => one !== null);
    const title = titleOf(table.name);
    resources.push({
      ids,
      table,
      title: title === '' || title.toLowerCase() === table.name.toLowerCase() ? null : title,
      key: keyOf(catalogTable),
      columns,
      search: searchOf(catalogTable, columns),
      readsHiddenOf: table.is === 'view' ? allBelow(table, catalog).filter((below) => hides.has(below)) : [],
      access: accessOf(catalogTable, choices, catalog.user),
    });
  }
  return { database: surveyed.name, resources, leftOut };
}

/** The names of tables with secret or personal columns. */
function hidingTables({ catalog, privacy }: Surveyed): ReadonlySet<string> {
  const hiding = catalog.tables.filter((table) => table.columns.some((column) => privacy(table, column) !== null));
  return new Set(hiding.map(({ name }) => name));
}

/** Proposes write access only if the database user may write the table: the configuration could not be served otherwise. */
function accessOf({ rights }: CatalogTable, { read, write }: Choices, user: string): ProposedResource['access'] {
  const { without, mayDelete, sequences } = rights;
  const lacks = without.INSERT.length + without.UPDATE.length + sequences.length > 0 || mayDelete === false;
  return write === 'token' && lacks
    ? { read, write: 'none', remark: `${user} may not write it` }
    : { read, write, remark: null };
}

function columnsOf(
  table: SurveyedTable,
  catalogTable: CatalogTable,
  { evidence, privacy, catalog }: Surveyed,
  choices: Choices,
): readonly ProposedColumn[] {
  const seen = evidence.get(catalogTable);
  const labels = new Set(catalogTable.columns.map(({ name }) => name));
  return catalogTable.columns.flatMap((column): readonly ProposedColumn[] => {
    const { name } = column;
    // The loader refuses the key `__proto__`, and clients cannot name such a column. An entry would expose an invisible column.
    if (name === '__proto__' || column.invisible) return [];
    const verdict = privacy(catalogTable, column);
    const isUnreadable = catalogTable.rights.without.SELECT.includes(name);
    const isShown = verdict === 'personal' && choices.shown(table, name);
    // If only token holders may read, show them even a personal key: without it, they could not refer to a record.
    const isShownKey = verdict === 'personal' && choices.read === 'token' && catalogTable.primaryKey.includes(name);
    const hidden = isUnreadable ? 'no right' : isShown || isShownKey ? null : verdict;
    const flag = hidden === null && isDeclaredBoolean(column.type) ? flagOf(column, seen) : null;
    const as = hidden === null ? speakable(name, labels) : null;
    const comment = table.notes.get(name) ?? '';
    const notes = hidden !== null || comment.trim() === '' ? null : comment;
    const keyRemark = isShownKey ? 'personal data? shown, because it is the key' : null;
    const hasName = privacyIn(catalogTable, column) !== null;
    const remark = hidden === null ? (flag?.remark ?? keyRemark) : reasonToHide(hidden, hasName, catalog.user);
    const isChosen = isShown && hidden === null;
    const isPlain = hidden === null && !isChosen && remark === null && as === null && notes === null;
    if (isPlain && choices.read === 'token') return [];
    return [{ name, hidden, isChosen, boolean: flag?.boolean ?? null, as, notes, remark }];
  });
}

/** Explains why a column is hidden. @param hasName whether its name suggests that; otherwise its comment or its values do */
function reasonToHide(hidden: Privacy | 'no right', hasName: boolean, user: string): string {
  if (hidden === 'no right') return `${user} may not read it`;
  const what = hidden === 'secret' ? 'says a secret' : 'says personal data';
  if (!hasName) return `its comment or a sample of its values ${what}`;
  return hidden === 'secret' ? 'the name says a secret' : 'personal data? show it only if you may';
}

/** With this many values that are all 0 or 1, the column is a boolean; with a name such as `is_active`, fewer are enough. */
const enoughValues = 1000;
const enoughValuesForName = 100;
const flagName = /^(?:is|has|can|was|ist|hat|est|es)$/;

function flagOf(
  { name, checkedFlag }: Column,
  seen: Evidence | undefined,
): { readonly boolean: boolean; readonly remark: string } {
  const number = (why: string) => ({ boolean: false, remark: `tinyint(1), ${why}: stays a number` });
  const { flags, others } = seen?.flags.get(name) ?? { flags: 0, others: 0 };
  if (checkedFlag) return { boolean: true, remark: 'tinyint(1), a CHECK constraint allows only 0 and 1' };
  if (seen === undefined) return number('but no rows were read');
  if (seen.rows === null) return number('but its rows could not be read in time');
  if (others > 0)
    return number(
      `but ${others.toLocaleString('en')} of ${(flags + others).toLocaleString('en')} values are others than 0 and 1`,
    );
  if (flags === 0) return number('but it has no values');
  const [first = '', ...more] = wordsOf(name);
  const read = flags.toLocaleString('en');
  return flags >= (more.length > 0 && flagName.test(first) ? enoughValuesForName : enoughValues)
    ? { boolean: true, remark: `tinyint(1), only 0 and 1 in the ${read} values read` }
    : number(`only 0 and 1, but in no more than ${read} ${flags === 1 ? 'value' : 'values'}`);
}

/** A label for a column whose name clients cannot use: the name without leading `_`, double quotes and control characters. Else null. */
function speakable(name: string, labels: Set<string>): string | null {
  if (name === '_id' || !/^_|["\p{Cc}]/u.test(name)) return null;
  const plain = name.replace(/["\p{Cc}]+/gu, '_').replace(/^[_\s]+|\s+$/g, '') || 'column';
  let as = plain;
  for (let n = 2; labels.has(as); n++) as = `${plain}_${n}`;
  labels.add(as);
  return as;
}

function keyOf({ kind, primaryKey, uniqueKeys, columns }: CatalogTable): Key {
  if (primaryKey.length > 0) return { is: 'primary' };
  if (kind === 'view')
    return {
      is: 'none',
      why: 'a view proves none: name the columns that identify a record, or its pages have no total order once it is large',
    };
  const isNullable = (name: string) => columns.find((column) => column.name === name)?.nullable !== false;
  const proved = uniqueKeys.find((key) => !key.columns.some(isNullable));
  if (proved !== undefined) return { is: 'unique', columns: proved.columns };
  const [nullable] = uniqueKeys;
  const may =
    nullable === undefined ? 'no unique index' : `the unique index (${nullable.columns.join(', ')}) may hold NULL`;
  return {
    is: 'none',
    why: `none; ${may}: can be read, not updated, and its pages have no total order once it is large`,
  };
}

/** The search settings for the full-text index with the most columns, among the indexes that have no hidden columns. */
function searchOf({ searchIndexes }: CatalogTable, columns: readonly ProposedColumn[]): ProposedResource['search'] {
  const hidden = new Set(columns.filter((column) => column.hidden !== null).map((column) => column.name));
  const usable = searchIndexes.filter(
    (index) => index.columns.length > 0 && !index.columns.some((name) => hidden.has(name)),
  );
  const [best] = usable.toSorted((a, b) => b.columns.length - a.columns.length);
  return best === undefined ? null : { columns: best.columns, language: best.language };
}
