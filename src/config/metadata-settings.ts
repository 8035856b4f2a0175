/** The settings that describe tables to readers: `catalog`, `datasets` and `resources.X.about`. Pure. */
import { z } from 'zod';
import { type Licence, themeCodes, updateWords } from '../model/metadata.ts';
import { suggestion } from '../values/nearest.ts';
import { licences } from './licences.ts';
import { choice, label, mapping, maybe, needed, section, setting, text } from './readers.ts';

/** A setting without its own help text, because `catalog` documents it. Null if it is absent. */
const optional = <T extends z.ZodType>(reader: T) => reader.optional().transform((v) => v ?? null);

/** The error text for a word that a list does not have, with the most similar one. */
const unknownWord =
  (expected: string, known: readonly string[]): z.core.$ZodErrorMap =>
  ({ input }) =>
    typeof input === 'string' ? expected + suggestion(input, known) : expected;

const webAddress = text('an http or https URL', /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/);
const agent = mapping(
  {
    name: label('a name'),
    url: optional(webAddress),
    email: optional(text('an e-mail address', /^[^\s@:/?#]+@[^\s@:/?#]+$/)),
  },
  'a mapping such as { name: Office of Statistics, url: "https://…", email: … }',
);

const spdx = 'the SPDX id of a licence for data such as CC-BY-4.0, or { title, url }';
const licenceIds = [...licences.keys()];
const licence = z
  .union([z.enum(licenceIds), mapping({ title: label('a title'), url: webAddress })], {
    error: unknownWord(spdx, licenceIds),
  })
  .transform(
    (given): Licence =>
      typeof given === 'string'
        ? (licences.get(given) ?? { id: given, title: given, url: '' })
        : { id: null, ...given },
  );

// CKAN refuses other tags, and a harvester would lose the whole dataset.
const keyword = text('2 to 100 letters, digits, blanks, - _ or .', /^[\p{L}\p{N} _.-]{2,100}$/u);
const theme = z.enum(themeCodes, {
  error: unknownWord(`one of the EU data themes ${themeCodes.join(', ')}`, themeCodes),
});
const languageTag = text('a language such as en or pt-BR', /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/);
const listOf = <T extends z.ZodType>(item: T, what: string) =>
  z.array(item, `a list of ${what}`).min(1, `at least one of ${what}`);

const date = z.iso.date('a date such as 2026-11-28');
const from = optional(date);
const dates = { from, to: optional(date) };
const isForward = ({ from, to }: { readonly from: string | null; readonly to: string | null }) =>
  from === null || to === null || from <= to;
const forward = { path: ['to'], error: 'a date that is not before from' };
const fixedPeriod = mapping(dates)
  .refine(isForward, forward)
  .transform((v) => ({ ...v, column: null }));
const period = mapping({ ...dates, column: optional(text('the name of a column')) })
  .refine(isForward, forward)
  .refine(({ from, to, column }) => column === null || (from === null && to === null), {
    path: ['column'],
    error: 'absent beside from and to',
  });

const degrees = (most: number) => z.number(`a number from -${most} to ${most}`).min(-most).max(most);
const bbox = z
  .tuple([degrees(180), degrees(90), degrees(180), degrees(90)], 'a list of west, south, east and north in degrees')
  .refine(([, south, , north]) => south <= north, 'a list of west, south, east and north, with south below north');
const area = mapping({ bbox: optional(bbox), place: optional(webAddress) });

/** The keys that resources inherit. @param key makes the setting from its reader and its help text */
const inherited = (key: <T extends z.ZodType>(reader: T, help: string) => ReturnType<typeof optional<T>>) => ({
  publisher: key(agent, 'Who publishes: `{ name, url, email }`.'),
  contact: key(agent, 'Whom to ask, as `publisher`.'),
  licence: key(licence, 'SPDX id such as CC-BY-4.0, or `{ title, url }`.'),
  keywords: key(listOf(keyword, 'keywords'), 'Words to find it by.'),
  theme: key(listOf(theme, 'themes'), 'EU data themes, as `[ENVI]`.'),
  language: key(listOf(languageTag, 'languages'), 'Languages, as `[en]`.'),
  source: key(mapping({ title: label('a title'), url: optional(webAddress) }), 'Origin: `{ title, url }`.'),
  updates: key(
    z.enum(updateWords, { error: unknownWord(updateWords.join(' or '), updateWords) }),
    'How often it changes, such as yearly.',
  ),
  issued: key(date, 'Date of publication.'),
  area: key(area, 'Area: `{ bbox: [west, south, east, north], place: URL }`.'),
});

/** The catalogue, and what all datasets inherit. */
export const catalog = section({
  serve: setting(
    choice('auto', 'none'),
    'auto',
    'Whether harvesters get a catalogue; none = its addresses do not exist, its actions list nothing.',
  ),
  ...inherited((reader, help) => maybe(reader, 'none', help)),
  period: maybe(fixedPeriod, 'none', 'Period: `{ from, to }`; below `datasets` and `about` also `{ column }`.'),
});

const facts = { ...inherited(optional), period: optional(period) };

/** The settings of a dataset. */
const dataset = mapping({
  title: optional(label('a title')),
  description: z.string('text').default(''),
  resources: needed(
    z.array(text('the id of a resource'), 'a list of resources'),
    'Its resources, beside `title`, `description` and the keys of `catalog`.',
  ),
  ...facts,
});
export const datasets = z.preprocess((v) => v ?? {}, z.record(z.string(), dataset, 'a mapping')).prefault({});

/** The settings that describe a resource to readers. */
export const forPeople = {
  group: maybe(label('a name'), 'database or schema', 'Heading in lists of tables.'),
  label: maybe(text('the name of a column'), 'guessed', 'Column that names a record.'),
  coordinates: maybe(
    z.tuple([text('the name of a column'), text('the name of a column')], 'a list of two columns: longitude, latitude'),
    'guessed',
    'Columns of longitude and latitude.',
  ),
  changed: maybe(text('the name of a column'), 'none', "Column with the time of a record's last change."),
  about: section(facts).meta({ description: 'Keys of `catalog` for this resource.' }),
};
