import { isDigits, isMembers, type Sent } from '../sent.ts';
import type { Column, Table } from '../table.ts';
import { Refused } from './answer.ts';
import { cellOf, type Row } from './filters.ts';
import { named } from './names.ts';
import { plain } from './show.ts';

/** A search for words that must all occur. `hits` counts the fields in which each word occurs. */
export interface Question {
  readonly rank: string;
  holds(row: Row): boolean;
  hits(row: Row): number;
}

/** The searches in `q`: one over all fields, or one for each field that it names. */
export function questions(table: Table, q: Sent | undefined): readonly Question[] {
  if (q !== undefined && isMembers(q)) {
    return q.members.map(([name, words]) => {
      const field = named(table, name);
      if (field === undefined || field.column.kind.is === 'bytes' || typeof words !== 'string')
        throw new Refused({ q: `invalid value "${name}"` });
      return question(`rank ${field.name}`, [field.column], split(words));
    });
  }
  const words = split(textOfQ(q));
  const fields = table.columns.filter(({ kind }) => kind.is !== 'bytes');
  return words.length === 0 ? [] : [question('rank', fields, words)];
}

/** The text of `q`; a number by its digits. */
export const textOfQ = (q: Sent | undefined): string =>
  q === undefined || q === null ? '' : isDigits(q) ? q.digits : String(q);

/** A phrase in quotes counts as one word. */
const split = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([all, quoted]) => fold(quoted ?? all)).filter((word) => word !== '');

function question(rank: string, fields: readonly Column[], words: readonly string[]): Question {
  const found = (row: Row) => {
    const texts = fields.flatMap(({ name, kind }) => {
      const cell = cellOf(row, name);
      return cell === null ? [] : [fold(plain(kind, cell))];
    });
    return words.map((word) => texts.filter((text) => text.includes(word)).length);
  };
  return {
    rank,
    holds: (row) => words.length > 0 && found(row).every((hits) => hits > 0),
    hits: (row) => found(row).reduce((sum, hits) => sum + hits, 0),
  };
}

/** Lower case letter by letter: applied to a whole text, JavaScript turns a final sigma into another letter. */
export const fold = (text: string) => Array.from(text, (letter) => letter.toLowerCase()).join('');
