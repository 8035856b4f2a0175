/** The settings of a resource and of its columns. Pure. */
import { z } from 'zod';
import { rowFilter } from './caller-settings.ts';
import { forPeople } from './metadata-settings.ts';
import {
  choice,
  duration,
  flag,
  label,
  mapping,
  maybe,
  names,
  needed,
  section,
  setting,
  shareOfAll,
  text,
} from './readers.ts';

const columnName = 'the name of a column';
const columnNames = names(columnName);
const wireName = text(
  'a name without control characters, quotation marks, a leading _ or blanks around it',
  /^(?![\s_])[^"\p{Cc}]+(?<!\s)$/u,
);
const column = section({
  hidden: maybe(
    flag,
    'false',
    'Whether the column is excluded from reads, searches, filters, sorts and writes. `false` says that you have looked: no advice.',
  ),
  boolean: setting(flag, false, 'Whether an integer is shown as true and false; all but 0 and 1 are a 409.'),
  as: maybe(wireName, 'its name in the table', 'Name of the column in the API.'),
  readOnly: setting(flag, false, 'Whether writes to the column are rejected.'),
  match: setting(
    choice('exact', 'collation'),
    'exact',
    'Equality of text: character for character, or by the collation of the database.',
  ),
  info: maybe(
    z.record(z.string(), z.json(), 'a mapping'),
    'none',
    'Entry of the data dictionary: label, notes and more.',
  ),
  references: maybe(
    mapping(
      { resource: text('the id of a resource'), column: text(columnName) },
      'a mapping such as { resource: countries, column: code }',
    ),
    'foreign keys',
    'What the values refer to, in place of foreign keys: `{ resource: ID, column: NAME }`.',
  ),
});

/** A resource. */
export const resource = mapping({
  database: needed(text('the name of a configured database'), 'Name of one of the databases.'),
  table: needed(text('the name of a table'), 'Name of the table or view.'),
  schema: maybe(text('the name of a schema'), 'public', 'Schema of the table; not for mysql.'),
  aliases: setting(z.array(label('a name'), 'a list of names'), [], 'Other names of the resource in the API.'),
  title: maybe(text('a title'), 'the name of the table', 'Title of the resource, for people.'),
  description: setting(z.string('text'), '', 'Description of the resource, for people, in Markdown.'),
  ...forPeople,
  id: maybe(text(columnName), 'the single-column integer primary key', 'Integer column that is shown as _id.'),
  key: maybe(columnNames.min(1, 'at least one column'), 'the primary key', 'Columns that identify a record.'),
  expose: setting(
    choice('all', 'listed'),
    'all',
    'Columns in the API: all of the table, or only those that `columns` names.',
  ),
  columns: z.preprocess((v) => v ?? {}, z.record(z.string(), column, 'a mapping')).prefault({}),
  search: section({
    mode: setting(
      choice('like', 'native', 'auto'),
      'like',
      'How q searches: with LIKE, with full text, or with full text for words that an index can answer.',
    ),
    columns: maybe(columnNames.min(1, 'at least one column'), 'all visible ones', 'Columns that q searches.'),
    language: setting(text('a text search configuration'), 'english', 'Text search configuration (postgres).'),
  }),
  where: maybe(
    rowFilter,
    'all rows',
    'Filter of the rows that the resource has, as in `filters`; with claims, of each caller.',
  ),
  access: section({
    read: setting(
      choice('public', 'token', 'upstream'),
      'token',
      'Permission to read: every client, tokens that list the resource, or these and whom the upstream (CKAN) lets read it.',
    ),
    write: setting(
      z.enum(['token', 'upstream', 'none'], 'token, upstream or none (there is no write: public)'),
      'none',
      'Permission to write: tokens that list the resource, these and whom the upstream (CKAN) lets write it, or no client.',
    ),
    deleteAll: setting(flag, false, 'Whether a delete without conditions empties the table.'),
    aggregate: setting(flag, true, 'Whether datastore_aggregate may count its records in groups.'),
    sql: setting(flag, false, 'Whether datastore_search_sql may read it.'),
  }),
  cache: section({
    ttl: maybe(duration(0), 'cache.ttl', 'Maximum age of a fresh cache entry; 0 = no caching.'),
    maxAge: maybe(
      duration(0),
      'cache.maxAge',
      'Maximum age of a response in the caches of clients and proxies; 0 = they revalidate each time.',
    ),
  }),
  shadow: mapping({
    resource: maybe(
      text('the id of a resource of the upstream'),
      'the id of this resource',
      'Id of the resource of the upstream (CKAN) whose DataStore table has the same data.',
    ),
    sample: setting(shareOfAll, 0.01, 'Share of the searches that are compared with the upstream.'),
  })
    .nullish()
    .transform((v) => v ?? null),
  invalidates: setting(
    z.union([z.literal('all'), names('a resource')], 'all or a list of resources'),
    'all',
    'Resources that triggers and the like may change on a write: all of the server, or only these.',
  ),
  allowPartial: setting(
    flag,
    false,
    'Whether a failed write may leave some records written on tables without transactions.',
  ),
});
