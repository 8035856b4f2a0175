import { createHash } from 'node:crypto';

/** The tokens that transcripts send, by the name of their owner. */
const token = (name: string, read: readonly string[], write: readonly string[]) => ({
  name,
  sha256: createHash('sha256').update(`${name}-token`).digest('hex'),
  read,
  write,
});
const people = '6d1b7b4e-0f5a-4a55-9b57-3d2d1a1f7e01';
const open = { read: 'public', write: 'none' };
const written = { read: 'public', write: 'token' };

/** The configurations of the transcripts, by name. They differ between engines only where a boolean is not a type of its own. */
export function configurations(
  database: Record<string, unknown>,
  engine: { readonly booleans: boolean; readonly json: boolean },
): Readonly<Record<string, Record<string, unknown>>> {
  const boolean = engine.booleans ? {} : { boolean: true };
  const table = (name: string, more: Record<string, unknown> = {}) => ({
    database: 'db',
    table: name,
    access: open,
    ...more,
  });
  const main = {
    databases: { db: database },
    tokens: [token('all', ['*'], ['*']), token('reader', [people], []), token('writer', [], ['secret_films'])],
    resources: {
      numbers: table('numbers', { columns: { flag: boolean } }),
      words: table('words'),
      moments: table('moments'),
      files: table('files'),
      ...(engine.json ? { documents: table('documents', { access: written }) } : {}),
      odd: table("odd 'names' 表", {
        columns: {
          'say "hi"': { as: 'say hi' },
          _internal: { as: 'internal' },
          'Größe, cm': { info: { label: 'Größe', notes: 'in Zentimetern, "ungefähr"' } },
        },
      }),
      [people]: table('person', {
        aliases: ['people'],
        access: { read: 'token', write: 'none' },
        columns: {
          full_name: { as: 'Full name', info: { label: 'Name' } },
          email: { hidden: true },
          active: boolean,
        },
      }),
      listed: table('person', { expose: 'listed', columns: { born: {}, full_name: {} } }),
      adults: table('active_person', { id: 'id', key: ['id'] }),
      keyless: table('keyless'),
      uncounted: table('keyless', { access: { ...open, aggregate: false } }),
      dollars: table('dollars'),
      keyless_written: table('keyless_written', { access: written }),
      films_insert: table('film_insert', { access: written }),
      films_update: table('film_update', {
        access: written,
        aliases: ['movies'],
        columns: { note: { readOnly: true }, year: { as: 'Year of release' } },
      }),
      films_upsert: table('film_upsert', { access: written }),
      films_errors: table('film_errors', { access: written, columns: { rating: { hidden: true } } }),
      films_form: table('film_form', { access: written }),
      films_shown: table('film_shown', { access: written, columns: { note: { hidden: true } } }),
      films_dry: table('film_dry', { access: written }),
      films_deleted: table('film_deleted', { access: { ...written, deleteAll: true }, aliases: ['removals'] }),
      lines_shown: table('line_shown', { access: written }),
      secret_films: table('film', { access: { read: 'token', write: 'token' } }),
      typed: table('typed', { access: written, columns: { flag: boolean } }),
      order_lines: table('order_line', { access: written }),
      codes: table('code', { access: written }),
      ckan_made: table('ckan_made', { access: written }),
      bin: table('bin', { access: written }),
      bin_all: table('bin_all', { access: { ...written, deleteAll: true } }),
      countries: table('country', { access: written }),
      cities: table('city', { access: written }),
    },
  };
  const small = {
    databases: { db: database },
    server: { basePath: '/data', languages: ['fr', 'pt_BR'] },
    cors: { origins: ['https://friend.example'] },
    limits: {
      bodyBytes: '300B',
      responseBytes: '300B',
      rowsDefault: 2,
      rowsMax: 3,
      maxOffset: 4,
      depth: 5,
      inValues: 3,
      qWords: 2,
      recordsPerUpsert: 2,
    },
    tokens: [token('all', ['*'], ['*'])],
    resources: {
      numbers: table('numbers', { columns: { flag: boolean } }),
      words: table('words'),
      small_films: table('film_small', { access: written }),
    },
  };
  const older = {
    databases: { db: database },
    server: { compat: '2.11', basePath: '/data' },
    tokens: [token('all', ['*'], ['*'])],
    resources: {
      moments: table('moments'),
      numbers: table('numbers', { columns: { flag: boolean } }),
      old_bin: table('bin', { access: written }),
    },
  };
  return { main, small, older };
}
