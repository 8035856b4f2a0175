/** Pure. Guesses from a column's name and comment whether it holds secrets or personal data. The words are in `private-words.ts`. */
import type { Type } from '../model/table.ts';
import {
  about,
  aboutFirst,
  articles,
  harmless,
  inComments,
  knownWords,
  nameAlone,
  type Phrases,
  people,
  personalPart,
  personNames,
  phrases,
  secretPart,
} from './private-words.ts';
import { separated, wordsOf } from './words.ts';

export type Privacy = 'secret' | 'personal';

export interface NamedColumn {
  readonly name: string;
  /** The name of the column's table; null if it is not known. */
  readonly table: string | null;
  readonly comment: string;
  readonly type: Type;
  /** Whether the column is in a foreign key: it then only refers to data, such as an address, and does not contain it. */
  readonly isReference: boolean;
  /** Whether the column is in the primary key. */
  readonly isKey: boolean;
}

/** Guesses whether a column holds secrets or personal data. A number that refers to another record, such as `address_id` or `token_id`, does not. */
export function privacyOf(column: NamedColumn): Privacy | null {
  const { name, table, comment, type, isReference, isKey } = column;
  const plain = wordsOf(name);
  const words = separated(plain, knownWords).filter((word) => !/^\d+$/.test(word));
  const isNumber = isNumeric(type);
  if (type.kind === 'bool' || (isNumber && isReference)) return null;
  const isId = words.at(-1) === 'id' || isKey;
  if (isNumber && isId && !says(phrases.number, words)) return null;
  if (harmless.test(plain.join(' '))) return null;
  const isOfSecret = words.at(-1) === 'id' && says(phrases.secret, words.slice(0, -1));
  const isInside = (part: RegExp) => !isAbout(words) && part.test(plain.join(''));
  if (says(phrases.secret, words) || isOfSecret || isInside(secretPart)) return 'secret';
  if (isPersonal(words, phrases, type) || isPersonName(words, table, type)) return 'personal';
  if (isAbout(words) || type.kind === 'uuid') return null;
  return !isNumber && !isTime(type) && isInside(personalPart) ? 'personal' : commentSays(comment, type);
}

/** Guesses from its name alone whether a text column holds secrets or personal data. */
export const nameSays = (name: string): Privacy | null =>
  privacyOf({ name, table: null, comment: '', type: anyText, isReference: false, isKey: false });
const anyText: Type = { kind: 'text', length: null, padded: false, nul: false };

const isNumeric = ({ kind }: Type): boolean => kind === 'int' || kind === 'decimal' || kind === 'float';
const isTime = ({ kind }: Type): boolean => kind === 'date' || kind === 'time' || kind === 'timestamp';

const isAbout = (words: readonly string[]): boolean =>
  words.length > 1 && (about.has(words.at(-1) ?? '') || aboutFirst.has(words[0] ?? ''));

/** Whether a name contains one of the phrases. If the name only describes data (`has_phone`), only a longer phrase at its end counts. */
function says(some: ReadonlySet<string>, words: readonly string[]): boolean {
  const isWhole = !isAbout(words);
  return words.some((_, start) =>
    words.slice(start).some((_, more) => {
      const end = start + more + 1;
      return (isWhole || (more > 0 && end === words.length)) && some.has(words.slice(start, end).join(' '));
    }),
  );
}

function isPersonal(words: readonly string[], { personal, number, birth }: Phrases, type: Type): boolean {
  if (says(birth, words)) return true;
  if (isTime(type) || type.kind === 'uuid') return false;
  return says(number, words) || (!isNumeric(type) && says(personal, words));
}

/** Whether a column holds people's names: `customer_name`, `nom_client`, or `name` in a table `customers`. */
function isPersonName(words: readonly string[], table: string | null, { kind }: Type): boolean {
  if (kind !== 'text') return false;
  if (says(personNames, words)) return true;
  if (table === null || !nameAlone.has(words.join(' '))) return false;
  const [last = '', before = ''] = separated(wordsOf(table), knownWords).toReversed();
  return people.includes(last) || (last === 'identifier' && people.includes(before));
}

/** Judges a column's comment by its first sentence, if that is short enough to be another name of the column. */
function commentSays(comment: string, type: Type): Privacy | null {
  const [sentence = ''] = comment.slice(0, 200).split(/[.;:,(\n]/);
  const words = separated(wordsOf(sentence), knownWords).filter((word) => !articles.has(word));
  if (words.length > 5) return null;
  if (says(inComments.secret, words)) return 'secret';
  return isPersonal(words, inComments, type) ? 'personal' : null;
}
