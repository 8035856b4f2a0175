import { scalar } from '../values/yaml-scalar.ts';
import { approximateRows, isLarge, quotedName, type ResourceFacts, type Rule, tableNamed } from './facts.ts';

/** Finds large tables where a search by `q` reads all rows, although it could use an index. */
export const search: Rule = ({ resources, server }) =>
  resources.flatMap((resource) => {
    const { id, table, catalogTable, rows, plans } = resource;
    if (!isLarge(resource) || plans.q?.readsAll !== true) return [];
    const unfound = new Set([...plans.qOf].filter(([, plan]) => plan.readsAll).map(([name]) => name));
    const remedy = server.remedies.search(table, catalogTable, unfound);
    if (remedy === null) return [];
    const setting = settingOf(resource, remedy);
    if (setting === null && remedy.sql.length === 0) return [];
    const steps = [
      ...(remedy.sql.length === 0 ? [] : ['index its columns of text']),
      ...(setting === null ? [] : [`write \`${setting}\`${leavingOut(resource, remedy)}`]),
    ];
    const says = `q reads all rows of ${tableNamed(table)}, ${approximateRows(rows)}; ${steps.join(', and ')}`;
    return [{ path: ['resources', id, 'search'], says, sql: remedy.sql, ...(setting === null ? {} : { setting }) }];
  });

/** Describes what searches would no longer find, because the operator must know it before changing the setting. */
function leavingOut({ table }: ResourceFacts, { mode, columns }: Pick<Remedy, 'mode' | 'columns'>): string {
  const unsearched = table.search.columns
    .filter(({ name }) => !columns.includes(name))
    .map(({ label }) => quotedName(label));
  const names =
    unsearched.length > 5
      ? `${unsearched.slice(0, 5).join(', ')} and ${unsearched.length - 5} more`
      : unsearched.join(', ');
  const less = [
    ...(unsearched.length === 0 ? [] : [`no longer searches ${names}`]),
    ...(mode === 'native' && table.search.mode !== 'native' ? ['finds whole words only'] : []),
  ];
  return less.length === 0 ? '' : `, with which q ${less.join(' and ')}`;
}

/** The `search` setting to add; null if the resource already has it. */
function settingOf({ table }: ResourceFacts, { mode, columns }: Pick<Remedy, 'mode' | 'columns'>): string | null {
  const searched = table.search.columns.map(({ name }) => name);
  const isSame = searched.length === columns.length && columns.every((name) => searched.includes(name));
  if (isSame && table.search.mode === mode) return null;
  const written = `columns: [${columns.map(scalar).join(', ')}]`;
  const language =
    mode === 'like' || table.search.languages === null ? '' : `, language: ${scalar(table.search.language)}`;
  return `search: { ${mode === 'like' ? '' : `mode: ${mode}, `}${written}${language} }`;
}

interface Remedy {
  readonly mode: 'like' | 'native' | 'auto';
  readonly columns: readonly string[];
}
