/** Finds the columns with a role: a record's name, its place, and the time of its last change. */
import type { ResourceSettings } from '../config/assemble.ts';
import type { Path } from '../config/complaints.ts';
import type { Column, Roles, Type } from '../model/table.ts';
import { suggestion } from '../values/nearest.ts';

type Kind = Type['kind'];
/** Reports a wrong setting in the resource, or in its dataset. */
export type Complain = (path: Path, says: string) => void;

const times: readonly Kind[] = ['date', 'timestamp'];
const numbers: readonly Kind[] = ['int', 'decimal', 'float'];
const texts: readonly Kind[] = ['text', 'choice'];

const namesOfLabels = ['name', 'title', 'label', 'bezeichnung', 'titel', 'nom', 'nombre', 'naam'];
const namesOfPlaces = [
  ['longitude', 'latitude'],
  ['lon', 'lat'],
  ['lng', 'lat'],
  ['x_wgs84', 'y_wgs84'],
] as const;

/**
 * The columns' roles: as configured, else guessed by name.
 * @param columns only the columns that the resource shows: a role would reveal a hidden column's values
 */
export function rolesOf(settings: ResourceSettings, columns: readonly Column[], complain: Complain): Roles {
  const { name: id, table, label, coordinates, changed, about, metadata } = settings;
  const named = (name: string, path: Path, kinds: readonly Kind[] | null, what: string): Column | null => {
    // A column that is also shown as `_id` has its own label in descriptions.
    const found = columns.findLast((one) => one.name === name);
    const known = columns.map((one) => one.name);
    const got = `got: ${JSON.stringify(name)}`;
    if (found === undefined)
      complain(path, `must name a column that resource "${id}" shows${suggestion(name, known)}, ${got}`);
    else if (kinds !== null && !kinds.includes(found.type.kind))
      complain(path, `must be a column with ${what}, ${got} of type ${found.native}`);
    return found ?? null;
  };
  const at = (...path: Path): Path => ['resources', id, ...path];
  const dataset = metadata.dataset?.name ?? '';
  const periodPath = about.period === null ? ['datasets', dataset] : at('about');
  const period = metadata.period?.column ?? null;
  const place = coordinates?.map((one, nth) => named(one, at('coordinates', nth), numbers, 'degrees')?.label);
  const [longitude, latitude] = place ?? guessedPlace(columns);
  return {
    label: (label === null ? guessedLabel(table, columns) : named(label, at('label'), null, ''))?.label ?? null,
    coordinates: longitude === undefined || latitude === undefined ? null : [longitude, latitude],
    changed: changed === null ? null : named(changed, at('changed'), times, 'dates or times'),
    period:
      period === null
        ? null
        : named(period, [...periodPath, 'period', 'column'], [...times, 'int'], 'dates, times or years'),
  };
}

/** A column named like `title`, or like the table and such a word: `product_name` in `products`. */
function guessedLabel(table: string, columns: readonly Column[]): Column | undefined {
  const [, word = ''] = /([^_.]*)$/.exec(table.toLowerCase()) ?? [];
  const singulars = [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
  const ofTable = namesOfLabels.flatMap((name) => singulars.map((one) => `${one}_${name}`));
  return guessed([...namesOfLabels, ...ofTable], texts, columns);
}

function guessed(names: readonly string[], kinds: readonly Kind[], columns: readonly Column[]): Column | undefined {
  const fitting = columns.filter(({ type }) => kinds.includes(type.kind));
  const found = names.map((name) => fitting.find((one) => one.name.toLowerCase() === name));
  return found.find((one) => one !== undefined);
}

function guessedPlace(columns: readonly Column[]): readonly (string | undefined)[] {
  const pairs = namesOfPlaces.map((names) => names.map((name) => guessed([name], numbers, columns)?.label));
  return pairs.find((pair) => pair.every((one) => one !== undefined)) ?? [];
}
