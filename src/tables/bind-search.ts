import type { ResourceSettings } from '../config/assemble.ts';
import type { Path } from '../config/complaints.ts';
import type { Catalog, CatalogTable } from '../model/catalog.ts';
import type { SearchIndex } from '../model/search-index.ts';
import type { Column, Table } from '../model/table.ts';
import { suggestion } from '../values/nearest.ts';
import { scalar } from '../values/yaml-scalar.ts';

/** Collects the findings about the setting `search`. Paths are relative to it. */
interface Findings {
  complain(at: Path, says: string): void;
  warn(at: Path, says: string): void;
  /** Whether the table has a column of this name; complains otherwise. */
  has(name: string): boolean;
}

/** What `q` searches: its columns, their language, and the full-text index that covers exactly these columns. */
export function searchOf(
  { mode, language, columns: configured }: ResourceSettings['search'],
  columns: readonly Column[],
  found: CatalogTable,
  catalog: Catalog,
  { complain, warn, has }: Findings,
): Table['search'] {
  const { languages } = catalog;
  const chosen = configured?.map((name) => ({
    name,
    column: columns.find((column) => column.name === name && column.label !== '_id'),
  }));
  for (const { name, column } of chosen ?? []) {
    if (has(name) && column === undefined) complain(['columns'], `must be visible columns, got: "${name}"`);
    if (column?.type.kind === 'binary') complain(['columns'], `must not be binary columns, got: "${name}"`);
  }
  const searched =
    chosen?.map(({ column }) => column).filter((column) => column !== undefined) ??
    columns.filter((column) => column.type.kind !== 'binary' && !isAlias(column, columns));
  const isUnknown = mode !== 'like' && languages !== null && !languages.includes(language);
  if (isUnknown) {
    const nearest = suggestion(language, languages);
    complain(['language'], `must be a text search configuration of the database${nearest}, got: "${language}"`);
  }
  const names = searched.map((column) => column.name);
  const index: SearchIndex | null =
    found.searchIndexes.find(
      (candidate) =>
        (candidate.language === null || candidate.language === language) && sameNames(candidate.columns, names),
    ) ?? null;
  if (mode !== 'like' && index === null && !isUnknown) {
    const remedy = remedyOf(searched, columns, found, catalog, language);
    const none = 'but no full-text index has exactly the words of the searched columns, so';
    if (mode === 'auto') warn(['mode'], `is auto, ${none} LIKE answers everything${remedy}`);
    else if (languages !== null) warn(['mode'], `is native, ${none} each search reads all rows${remedy}`);
    else
      complain([], `needs a FULLTEXT index over exactly these columns for mode native: ${names.join(', ')}${remedy}`);
  }
  return { mode, columns: searched, language, languages: mode === 'like' ? null : languages, index };
}

/** A hint: the setting that uses an existing full-text index, else SQL that creates an index over the searched columns, or over the text columns. */
function remedyOf(
  searched: readonly Column[],
  columns: readonly Column[],
  found: CatalogTable,
  catalog: Catalog,
  language: string,
): string {
  const setting = (names: readonly string[]) => `columns: [${names.map(scalar).join(', ')}]`;
  const isVisible = (name: string) => columns.some((column) => column.name === name);
  const [existing] = found.searchIndexes
    .filter((one) => one.columns.length > 0 && one.columns.every(isVisible))
    .toSorted((a, b) => b.columns.length - a.columns.length);
  if (existing !== undefined) {
    const other =
      existing.language === null || existing.language === language ? '' : `, language: ${scalar(existing.language)}`;
    return `; there is one for \`${setting(existing.columns)}${other}\``;
  }
  const sqlFor = (of: readonly Column[]) =>
    found.kind === 'view' || of.length === 0 ? null : catalog.fullTextIndex(found, of, language);
  const texts = searched.filter(({ type }) => type.kind === 'text');
  const [whole, ofTexts] = [sqlFor(searched), sqlFor(texts)];
  if (whole !== null) return `: ${whole}`;
  return ofTexts === null ? '' : `; write \`${setting(texts.map(({ name }) => name))}\`, and: ${ofTexts}`;
}

/** Whether both have the same names, in any order. */
export function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}

/** `q` must not search a column twice only because `_id` also shows it. */
function isAlias(column: Column, columns: readonly Column[]): boolean {
  return column.label === '_id' && columns.some((other) => other !== column && other.name === column.name);
}
