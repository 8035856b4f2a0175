/** The readers' requests: a few dozen, repeated literally, so that most are answered from the cache. */

import type { Random } from '../../support/random.ts';
import type { Seen } from './history.ts';
import { groupOf, groups, items, type Row, type Shelf, type World } from './world.ts';

/** A request, and how to read its answer. */
export interface Question {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly body: string;
  /** Throws if this is not a valid answer. */
  seen(body: string): readonly Seen[];
}

const perShelf = 4;

export function questionsOf(world: World, random: Random): readonly Question[] {
  const searches = world.shelves.flatMap((shelf) => Array.from({ length: perShelf }, () => search(shelf, random)));
  const counted = world.shelves.filter((shelf) => shelf.counted);
  const homes = world.shelves.filter(({ resource }) => resource === 'home').flatMap(joins);
  return [...searches, ...counted.map(info), ...counted.map(measure), ...counted.map(sqlCount), ...homes, tally];
}

function search(shelf: Shelf, random: Random): Question {
  const kind = random.one(['all', 'all', 'some', 'group', 'page', 'count'] as const);
  const group = random.one(groups);
  const isGroup = kind === 'group' && shelf.grouped;
  const among =
    kind === 'some'
      ? random.some(shelf.ids, random.from(1, 4))
      : shelf.ids.filter((id) => !isGroup || groupOf(id) === group);
  const counts = kind === 'count' || random.isIn(0.6);
  const params = {
    resource_id: shelf.resource,
    ...(kind === 'some' ? { filters: { id: among } } : isGroup ? { filters: { g: group } } : {}),
    ...(kind === 'page' ? { sort: random.one(['id', 'id desc', 'v']), limit: 3, offset: random.from(0, 4) } : {}),
    ...(kind === 'count' ? { limit: 0 } : {}),
    ...(counts ? {} : { include_total: false }),
    ...(random.isIn(0.3) && shelf.resource !== 'home' ? { fields: 'id,v' } : {}),
  };
  return question('datastore_search', params, random, (result) => {
    const rows = rowsOf(result);
    const there = new Set(rows.map(({ id }) => Number(id)));
    const isWhole = shelf.counted && kind !== 'page' && kind !== 'count';
    return [
      ...rows.flatMap((row) => shelf.row(row)),
      ...(isWhole ? among.filter((id) => !there.has(id)) : []).map((id) => ({ record: shelf.record(id), is: null })),
      ...(counts && shelf.counted ? [{ records: among.map(shelf.record), count: Number(result.total) }] : []),
    ];
  });
}

const info = (shelf: Shelf): Question => ({
  ...{ method: 'GET', target: `/api/3/action/datastore_info?id=${encodeURIComponent(shelf.resource)}`, body: '' },
  seen(body) {
    const meta = resultOf(body).meta;
    if (!isRow(meta)) throw new Error(`no answer of datastore_info: ${body}`);
    return [{ records: shelf.ids.map(shelf.record), count: Number(meta.count) }];
  },
});

const measure = (shelf: Shelf): Question => ({
  method: 'POST',
  target: '/api/3/action/datastore_aggregate',
  body: JSON.stringify({ resource_id: shelf.resource, measures: { n: 'count' } }),
  seen: (body) => [{ records: shelf.ids.map(shelf.record), count: Number(rowsOf(resultOf(body))[0]?.n) }],
});

const select = (sql: string, seen: (rows: readonly Row[]) => readonly Seen[]): Question => ({
  ...{ method: 'GET', target: `/api/3/action/datastore_search_sql?${new URLSearchParams({ sql })}`, body: '' },
  seen: (body) => seen(rowsOf(resultOf(body))),
});

const sqlCount = (shelf: Shelf): Question =>
  select(`SELECT count(*) AS n FROM "${shelf.resource}"`, ([row]) => [
    { records: shelf.ids.map(shelf.record), count: Number(row?.n) },
  ]);

/** The view of pets and their owners again, by SELECTs that join the tables. */
function joins(home: Shelf): readonly Question[] {
  const fields = 'p.id, p.v, o.id AS owner, o.v AS ov';
  return [
    select(`SELECT ${fields} FROM pet p JOIN owner o ON o.id = p.owner`, (rows) => rows.flatMap(home.row)),
    select(`SELECT ${fields} FROM (SELECT * FROM owner) o JOIN pet p ON o.id = p.owner ORDER BY 1`, (rows) =>
      rows.flatMap(home.row),
    ),
    select('SELECT id, v FROM owner WHERE id <= (SELECT max(owner) FROM pet)', (rows) =>
      rows.map(({ id, v }) => ({ record: `owner/${id}`, is: v === null ? null : Number(v) })),
    ),
  ];
}

const tally: Question = {
  ...{ method: 'GET', target: '/api/3/action/datastore_search?resource_id=tally', body: '' },
  seen(body) {
    const counts = new Map(rowsOf(resultOf(body)).map(({ id, n }) => [Number(id), Number(n)]));
    return groups.map((group) => ({
      records: items.filter((id) => groupOf(id) === group).map((id) => `item/${id}`),
      count: counts.get(group) ?? 0,
    }));
  },
};

function question(action: string, params: Row, random: Random, seen: (result: Row) => readonly Seen[]): Question {
  const path = `${random.isIn(0.1) ? '/fr' : ''}/api/3/action/${action}`;
  if (random.isIn(0.5)) {
    return { method: 'POST', target: path, body: JSON.stringify(params), seen: (body) => seen(resultOf(body)) };
  }
  // A JSONP script request cannot send a token, so it only reads public resources.
  const isScript = params.resource_id === 'seen' && random.isIn(0.5);
  const texts = Object.entries({ ...params, ...(isScript ? { callback: 'shown' } : {}) }).map(
    ([name, value]): [string, string] => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)],
  );
  const plain = (body: string) => (isScript ? body.slice(body.indexOf('(') + 1, body.lastIndexOf(')')) : body);
  return {
    ...{ method: 'GET', target: `${path}?${new URLSearchParams(texts)}`, body: '' },
    seen: (body) => seen(resultOf(plain(body))),
  };
}

function resultOf(body: string): Row {
  const answer: unknown = JSON.parse(body);
  if (!isRow(answer) || answer.success !== true || !isRow(answer.result)) throw new Error(`no answer: ${body}`);
  return answer.result;
}

function rowsOf({ records }: Row): readonly Row[] {
  if (!Array.isArray(records) || !records.every(isRow)) throw new Error('an answer without records');
  return records;
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
