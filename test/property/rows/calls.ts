/** Random calls of every kind that reads or writes the rows of a table. */
import { recordsFormats } from '../../../src/model/http.ts';
import { textFormats } from '../../support/binary-file.ts';
import type { Random } from '../../support/random.ts';
import { chooseValue, columns, insideKeys, outsideKeys, rowInside } from './lines.ts';
import { selectCall } from './selects.ts';

export interface Call {
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether it goes to the resource whose search is native. */
  readonly words?: boolean;
}

const searched = ['hydrogen', 'zebra', 'report', 'water', 'own', 'wasser', 'hydrogen report', 'absent'];
const names = columns.map(({ name }) => name);

/** One call of any kind. */
export function anyCall(random: Random, options: { readonly native: boolean }): Call {
  return random.isIn(0.7) ? readingCall(random, options) : writingCall(random);
}

export function readingCall(random: Random, { native }: { readonly native: boolean }): Call {
  const words = native && random.isIn(0.4);
  switch (
    random.one(['search', 'search', 'search', 'aggregate', 'measures', 'info', 'dump', 'dump', 'select'] as const)
  ) {
    case 'aggregate':
      return {
        action: 'datastore_aggregate',
        params: { by: by(random), ...conditions(random), ...grouped(random) },
        words,
      };
    case 'measures':
      return { action: 'datastore_aggregate', params: { ...measures(random), ...conditions(random) }, words };
    case 'select':
      return selectCall(random, []);
    case 'info':
      return { action: 'datastore_info', params: {}, words };
    case 'dump': {
      const params = shown(random);
      // The geometry adds columns to a distinct download, by which it has no order.
      const possible = 'distinct' in params ? textFormats.filter((one) => one !== 'geojson') : textFormats;
      return {
        action: 'datastore_dump',
        params: { format: random.one(possible), geometry: 'n,price', ...params },
        words,
      };
    }
    default:
      return { action: 'datastore_search', params: { ...shown(random), ...page(random) }, words };
  }
}

/** A write; with `dry` it changes nothing, so that it may be repeated. */
export function writingCall(random: Random, dry = false): Call {
  const more = {
    ...(dry || random.isIn(0.15) ? { dry_run: true } : {}),
    ...(random.isIn(0.5) ? { include_records: true } : {}),
  };
  if (random.isIn(0.25)) {
    const { include_records, ...rest } = more;
    const include = include_records === undefined ? {} : { include_deleted_records: true };
    // A few keys at most, so that the table does not run empty. Deletes of any filters are tried without effect.
    const filters = random.isIn(0.7) ? { id: random.some([...insideKeys, ...outsideKeys], 3) } : filter(random, 1);
    const isTried = 'id' in filters ? rest : { dry_run: true };
    return { action: 'datastore_records_delete', params: { filters, ...isTried, ...include } };
  }
  const method = random.one(['insert', 'update', 'upsert', 'upsert'] as const);
  // Inserts of keys outside are the duplicates that do show.
  const keys = method === 'update' && random.isIn(0.3) ? [...insideKeys, ...outsideKeys] : insideKeys;
  const records = random.some(keys, random.one([1, 1, 2, 4])).map((id) => {
    const { id: _, ...whole } = rowInside(id, random);
    const part = Object.entries(whole).filter(() => method === 'insert' || random.isIn(0.5));
    // The unique value of another row inside.
    if (random.isIn(0.05)) part.push(['code', `code ${random.one(insideKeys)}`]);
    return { [random.isIn(0.3) ? '_id' : 'id']: id, ...Object.fromEntries(part) };
  });
  return { action: 'datastore_upsert', params: { method, records, ...more } };
}

function shown(random: Random): object {
  const isDistinct = random.isIn(0.2);
  const chosen = random.some(names, random.from(1, 4));
  return {
    ...conditions(random),
    ...(isDistinct || random.isIn(0.3) ? { fields: chosen.join() } : {}),
    // Without an order the records of a distinct search have none.
    ...(isDistinct
      ? { distinct: true, sort: chosen.map((name) => `${name}${random.one(['', ' desc'])}`).join(', ') }
      : random.isIn(0.6)
        ? {
            sort: random
              .some(names, 2)
              .map((name) => `${name}${random.one(['', ' desc', ' nulls first'])}`)
              .join(', '),
          }
        : {}),
    ...(random.isIn(0.3) ? { offset: random.from(0, 8) } : {}),
    ...(random.isIn(0.4) ? { limit: random.from(0, 6) } : {}),
  };
}

const page = (random: Random): object => ({
  ...(random.isIn(0.3) ? { records_format: random.one(recordsFormats) } : {}),
  ...(random.isIn(0.2) ? { include_total: false } : {}),
  ...(random.isIn(0.3) ? { include_next_page: true } : {}),
});

const grouped = (random: Random): object => ({
  ...(random.isIn(0.5) ? { sort: random.one(['count', 'value']) } : {}),
  ...(random.isIn(0.3) ? { limit: random.from(1, 4) } : {}),
});

function by(random: Random): unknown {
  const field = random.one(names);
  const range = random.one(['id', 'n', 'price', 'day']);
  return random.one([
    field,
    { field },
    { field: range, bins: random.from(2, 9) },
    { field: 'day', every: random.one(['year', 'month', 'day']) },
  ]);
}

function measures(random: Random): object {
  const groups = [
    random.one(names),
    { field: 'day', every: 'month', as: 'month' },
    { field: 'n', width: 3, as: 'step' },
  ];
  const filters = random.isIn(0.5) ? { filters: filter(random, 1) } : {};
  const measure = () =>
    random.one([{ sum: 'n' }, { avg: 'price' }, { min: 'name' }, { max: 'day' }, { distinct: 'region' }]);
  return {
    ...(random.isIn(0.7) ? { groups: random.some(groups, random.from(1, 3)) } : {}),
    measures: {
      records: 'count',
      some: { ...measure(), ...filters },
      other: measure(),
      there: { count: random.one(names) },
    },
    ...(random.isIn(0.3) ? { having: { records: { gte: 2 } } } : {}),
    ...(random.isIn(0.5) ? { sort: random.one(['records desc', 'other', 'some desc nulls last']) } : {}),
    ...(random.isIn(0.3) ? { limit: random.from(0, 3), offset: random.from(0, 2) } : {}),
    ...(random.isIn(0.3) ? { include_filters: true } : {}),
  };
}

const conditions = (random: Random): object => ({
  ...(random.isIn(0.5)
    ? { filters: random.isIn(0.1) ? [filter(random, 1), filter(random, 1)] : filter(random, 2) }
    : {}),
  ...(random.isIn(0.25) ? words(random) : {}),
});

function words(random: Random): object {
  const q = random.one(searched);
  return random.one([
    { q },
    { q },
    { q: { name: q } },
    { full_text: q },
    { q: `!${random.one(['zebra', 'water'])}`, plain: false },
    { q: `hydrogen | ${random.one(['zebra', 'water'])}`, plain: false },
  ]);
}

function filter(random: Random, depth: number): Record<string, unknown> {
  if (depth > 0 && random.isIn(0.3)) {
    const parts = Array.from({ length: random.from(1, 3) }, () => filter(random, depth - 1));
    return { ...(random.isIn(0.5) ? filter(random, 0) : {}), [random.one(['$or', '$and'])]: parts };
  }
  // Hidden and absent names are refused alike.
  if (random.isIn(0.02)) return { [random.one(['tenant', 'absent'])]: 7 };
  const column = random.one(columns);
  const value = () => chooseValue(column, random);
  const op = random.one(['eq', 'in', 'gt', 'gte', 'lt', 'lte', 'ne', 'nin', 'like', 'ilike', 'null', 'plain', 'list']);
  if (op === 'plain') return { [column.name]: value() };
  const list = Array.from({ length: random.from(0, 3) }, value);
  if (op === 'list') return { [column.name]: list };
  if (op === 'in' || op === 'nin') return { [column.name]: { [op]: list } };
  if (op === 'null') return { [column.name]: { null: random.isIn(0.5) } };
  if (op === 'like' || op === 'ilike')
    return { [column.name]: { [op]: random.one(['%', 'h%', '%zebra%', '_%', 'a\\%b', '%N%']) } };
  return { [column.name]: { [op]: value() } };
}
