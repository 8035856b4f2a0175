/** Random calls that CKAN's DataStore and the gateway answer over the same records. */
import type { Random } from '../../support/random.ts';

export interface ReplayedCall {
  /** An action, or `dump` for a download. */
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A record without its `_id`. Texts are lower-case words, so that all collations sort them alike and no word is the stem of another. */
export interface Row {
  readonly name: string;
  readonly kind: string | null;
  readonly n: number;
  readonly amount: number | null;
  readonly day: string;
  readonly at: string;
  readonly ok: boolean;
}

const kinds = ['amber', 'birch', 'cobalt', 'dune'];
const words = ['river', 'lantern', 'orchid', 'quartz', 'meadow', 'falcon'];
const columns = ['name', 'kind', 'n', 'amount', 'day', 'at', 'ok'] as const;

export function randomRow(random: Random, nth: number): Row {
  const two = (most: number) => String(random.from(1, most)).padStart(2, '0');
  const day = () => `20${random.from(10, 29)}-${two(12)}-${two(28)}`;
  return {
    name: `${random.one(words)} ${random.one(words)} x${String(nth).padStart(4, '0')}`,
    kind: random.isIn(0.1) ? null : random.one(kinds),
    n: random.from(-50, 50),
    // Without a 0 at the end, which only a column of two places keeps.
    amount: random.isIn(0.1) ? null : (random.from(-999, 999) * 10 + random.from(1, 9)) / 100,
    ...{ day: day(), at: `${day()}T${two(23)}:${two(59)}:00`, ok: random.isIn(0.5) },
  };
}

/**
 * The next call.
 * @param count how many records there are at least
 * @param nth numbers the records that calls insert
 */
export function randomCall(random: Random, count: number, nth: number): ReplayedCall {
  const kind = random.next();
  if (kind < 0.62) return { action: 'datastore_search', params: search(random) };
  if (kind < 0.72) return { action: 'datastore_search', params: badSearch(random) };
  if (kind < 0.75) return { action: 'datastore_info', params: {} };
  if (kind < 0.88) return { action: 'dump', params: dump(random) };
  return write(random, count, nth);
}

function search(random: Random): Record<string, unknown> {
  const isWords = random.isIn(0.2);
  const fields = random.isIn(0.4) ? random.some(columns, 3) : null;
  const distinct = fields !== null && !isWords && random.isIn(0.3);
  return {
    ...(random.isIn(0.6) ? { filters: filters(random) } : {}),
    ...(isWords ? { q: random.isIn(0.7) ? random.one(words) : { name: random.one(words) } } : {}),
    ...(fields === null ? {} : { fields: random.isIn(0.5) ? fields : fields.join(',') }),
    // A total order: without one, CKAN's is by chance.
    sort: distinct ? (fields ?? []).join(', ') : random.isIn(0.7) ? `${order(random)}, _id` : '_id',
    ...(distinct ? { distinct } : {}),
    ...(random.isIn(0.5) ? { limit: random.from(0, 30) } : {}),
    ...(random.isIn(0.3) ? { offset: random.from(0, 20) } : {}),
    ...(random.isIn(0.2) ? { include_total: false } : {}),
    ...(!isWords && random.isIn(0.3) ? { records_format: random.one(['lists', 'csv', 'tsv']) } : {}),
    ...(random.isIn(0.2) && !distinct ? { include_next_page: true } : {}),
  };
}

const order = (random: Random): string =>
  `${random.one(columns)}${random.one(['', ' asc', ' desc', ' desc nulls last', ' nulls first'])}`;

function filters(random: Random, depth = 0): unknown {
  if (depth < 2 && random.isIn(0.15)) return { $or: [filters(random, depth + 1), filters(random, depth + 1)] };
  const column = random.one([...columns, '_id'] as const);
  const value = () =>
    ({
      ...{ _id: random.from(1, 70), n: random.from(-50, 50), amount: random.from(-99, 99), ok: random.isIn(0.5) },
      ...{ kind: random.one(kinds), name: random.one(words), day: '2020-06-15', at: '2020-06-15T12:00:00' },
    })[column];
  const kind = random.next();
  if (column === 'ok' || kind < 0.35) return { [column]: value() };
  if (kind < 0.6) return { [column]: [value(), value()] };
  return { [column]: { [random.one(['gt', 'gte', 'lt', 'lte', 'eq'])]: value() } };
}

function badSearch(random: Random): Record<string, unknown> {
  return random.one([
    { filters: { nope: 1 } },
    { filters: { nope: [1] } },
    { filters: '{' },
    { filters: { n: { nope: 1 } } },
    { filters: { n: 'many' } },
    { filters: { day: 'someday' } },
    { fields: ['nope'] },
    { sort: 'nope' },
    { sort: 'n upwards' },
    { limit: 'many' },
    { limit: -1 },
    { offset: 'far' },
    { nope: true },
    { records_format: 'xml' },
    { resource_id: 'nothing' },
  ]);
}

function dump(random: Random): Record<string, unknown> {
  return {
    format: random.one(['csv', 'tsv', 'json', 'xml']),
    ...(random.isIn(0.3) ? { limit: random.from(1, 20) } : {}),
    ...(random.isIn(0.3) ? { offset: random.from(0, 20) } : {}),
    ...(random.isIn(0.4) ? { fields: random.some(columns, 3).join(',') } : {}),
    ...(random.isIn(0.4) ? { filters: JSON.stringify({ kind: random.one(kinds) }) } : {}),
    ...(random.isIn(0.4) ? { sort: `${order(random)}, _id` } : {}),
    ...(random.isIn(0.2) ? { bom: true } : {}),
  };
}

function write(random: Random, count: number, nth: number): ReplayedCall {
  const existing = { _id: random.from(1, count), ...random.one([{ n: random.from(-50, 50) }, { kind: null }]) };
  const kind = random.next();
  if (kind < 0.4)
    return { action: 'datastore_upsert', params: { method: 'insert', records: [randomRow(random, nth)], force: true } };
  if (kind < 0.7) return { action: 'datastore_upsert', params: { method: 'update', records: [existing], force: true } };
  if (kind < 0.85) {
    const wrong = random.one([{ n: 'many' }, { nope: 1 }, { day: 'someday' }]);
    const records = [{ ...existing, ...wrong }];
    return { action: 'datastore_upsert', params: { method: 'update', records, force: true } };
  }
  return {
    action: 'datastore_records_delete',
    params: { filters: { name: randomRow(random, nth).name }, force: true },
  };
}
