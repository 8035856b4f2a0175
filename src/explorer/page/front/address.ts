/** Converts between the address of the front page and what it shows. */
import { queryOf } from '../ask/question.ts';

export const sorts = ['name', 'records', 'changed'] as const;
export type Sort = (typeof sorts)[number];

/** Kinds of tables: those with coordinates, those that changed today, and those that the caller may edit. */
export const shows = ['map', 'changed', 'edit'] as const;
export type Show = (typeof shows)[number];

export interface FrontView {
  readonly q: string;
  /** Null: all groups. '': the tables without a group. */
  readonly group: string | null;
  readonly sort: Sort;
  /** Only tables of all of these kinds. */
  readonly show: readonly Show[];
}

/** Reads an address, and skips what it cannot read. */
export function frontViewOf(search: string): FrontView {
  const query = new URLSearchParams(search);
  const wanted = (query.get('show') ?? '').split(',');
  return {
    q: query.get('q') ?? '',
    group: query.get('group'),
    sort: sorts.find((one) => one === query.get('sort')) ?? 'name',
    show: shows.filter((one) => wanted.includes(one)),
  };
}

/** The query string of a view, with its `?`; '' for all tables. */
export const frontAddressOf = ({ q, group, sort, show }: FrontView): string =>
  queryOf({
    ...(q === '' ? {} : { q }),
    ...(group === null ? {} : { group }),
    ...(sort === 'name' ? {} : { sort }),
    ...(show.length === 0 ? {} : { show: show.join(',') }),
  });
