/** Converts between the address of the front page and what it shows. */
import { queryOf } from '../ask/question.ts';

export const sorts = ['name', 'records', 'changed'] as const;
export type Sort = (typeof sorts)[number];

/** Kinds of tables: with coordinates, changed today, and editable by the caller. */
export const shows = ['map', 'changed', 'edit'] as const;
export type Show = (typeof shows)[number];

export interface FrontView {
  readonly q: string;
  /** Null for all groups; '' for the tables without a group. */
  readonly group: string | null;
  readonly sort: Sort;
  /** Shows only tables that are of all these kinds. */
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

/** A view's query string, with its `?`; '' for all tables. */
export const frontAddressOf = ({ q, group, sort, show }: FrontView): string =>
  queryOf({
    ...(q === '' ? {} : { q }),
    ...(group === null ? {} : { group }),
    ...(sort === 'name' ? {} : { sort }),
    ...(show.length === 0 ? {} : { show: show.join(',') }),
  });
