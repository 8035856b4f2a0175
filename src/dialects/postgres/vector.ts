import type { Column } from '../../model/table.ts';

/** The language and the columns of an expression that makes a tsvector. */
export interface Vector {
  readonly language: string;
  readonly columns: readonly string[];
  /** Whether the vector is NULL if its only column is. */
  readonly mayBeNull: boolean;
}

/** One term of the text that is split into words. */
type Term =
  | { readonly column: Known; readonly orEmpty: boolean; readonly isCast: boolean }
  | { readonly literal: string };

/** The column properties that decide which words an index can miss. */
type Known = Pick<Column, 'name' | 'nullable' | 'type'>;
type Find = (name: string) => Known | undefined;

const tokens = /\s*(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)"|([a-z_][\w$]*)|(\|\||::|[(),]))/giy;

/**
 * Parses an expression as pg_get_expr prints it: `to_tsvector` of columns joined by blanks, `setweight`, and `||` of these. Returns null
 * for anything else, and if words would be lost or added. A NULL in one of several columns would make the whole text NULL, unless it is
 * in COALESCE. Two columns without a blank between them would run into one word, and a comma may become part of an address. Of a JSON
 * document, `to_tsvector` only takes the strings, not names and numbers, unless the document is cast to text.
 */
export function readVector(expression: string, find: Find): Vector | null {
  try {
    return new Reader(expression, find).whole();
  } catch (error) {
    if (error instanceof Unproved) return null;
    throw error;
  }
}

class Unproved extends Error {}

interface Token {
  readonly kind: 'literal' | 'name' | 'mark' | 'end';
  readonly text: string;
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #find: Find;
  readonly #languages = new Set<string>();
  readonly #columns = new Set<string>();
  #mayBeNull = false;
  #at = 0;

  constructor(expression: string, find: Find) {
    this.#tokens = split(expression);
    this.#find = find;
  }

  whole(): Vector {
    this.#vector();
    this.#expect('end', '');
    const [language, ...others] = this.#languages;
    if (language === undefined || others.length > 0) throw new Unproved();
    if (this.#mayBeNull && this.#columns.size > 1) throw new Unproved();
    return { language, columns: [...this.#columns], mayBeNull: this.#mayBeNull };
  }

  #vector(): void {
    do {
      if (this.#accept('(')) {
        this.#vector();
        this.#expect('mark', ')');
      } else if (this.#accept('setweight', 'name')) {
        this.#expect('mark', '(');
        this.#vector();
        this.#expect('mark', ',');
        this.#literal();
        this.#expect('mark', ')');
      } else this.#words();
    } while (this.#accept('||'));
  }

  #words(): void {
    this.#expect('name', 'to_tsvector');
    this.#expect('mark', '(');
    this.#languages.add(this.#literal().replace(/^pg_catalog\./, ''));
    this.#expect('mark', ',');
    const terms = this.#text();
    this.#expect('mark', ')');
    terms.forEach((term, at) => {
      const next = terms[at + 1];
      if ('literal' in term) {
        if (!isBlank(term.literal)) throw new Unproved();
        return;
      }
      const { column, orEmpty, isCast } = term;
      if (column.type.kind === 'json' && !isCast) throw new Unproved();
      if (column.nullable && !orEmpty) this.#mayBeNull = true;
      const isGlued = next !== undefined && !('literal' in next && next.literal !== '');
      if (isGlued) throw new Unproved();
      this.#columns.add(column.name);
    });
  }

  #text(): readonly Term[] {
    const terms = [...this.#term()];
    while (this.#accept('||')) terms.push(...this.#term());
    return terms;
  }

  #term(): readonly Term[] {
    const terms = this.#bare();
    if (!this.#accept('::')) return terms;
    do this.#type();
    while (this.#accept('::'));
    return terms.map((term) => ('column' in term ? { ...term, isCast: true } : term));
  }

  #bare(): readonly Term[] {
    if (this.#accept('(')) {
      const terms = this.#text();
      this.#expect('mark', ')');
      return terms;
    }
    const { kind, text } = this.#next();
    if (kind === 'literal') return [{ literal: text }];
    if (kind !== 'name') throw new Unproved();
    if (text !== 'COALESCE' || !this.#accept('(')) return [this.#column(text)];
    const [only, ...others] = this.#term();
    this.#expect('mark', ',');
    if (!isBlank(this.#literal())) throw new Unproved();
    this.#expect('mark', ')');
    // `COALESCE(a || b, '')` is empty if either column is NULL, so the index would miss the other column's words.
    if (only === undefined || others.length > 0 || !('column' in only)) throw new Unproved();
    return [{ ...only, orEmpty: true }];
  }

  #column(name: string): Term {
    const column = this.#find(name);
    if (column === undefined) throw new Unproved();
    return { column, orEmpty: false, isCast: false };
  }

  #literal(): string {
    const { kind, text } = this.#next();
    if (kind !== 'literal') throw new Unproved();
    while (this.#accept('::')) this.#type();
    return text;
  }

  /** Only a cast to text keeps every character. The parser refuses `varchar(3)`, because it expects no length here. */
  #type(): void {
    const { kind, text } = this.#next();
    if (kind !== 'name' || !/^(text|regconfig|char|character|bpchar)$/.test(text)) throw new Unproved();
    if (text === 'character') this.#expect('name', 'varying');
  }

  #accept(text: string, kind: Token['kind'] = 'mark'): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== kind || token.text !== text) return false;
    this.#at++;
    return true;
  }

  #expect(kind: Token['kind'], text: string): void {
    const token = this.#next();
    if (token.kind !== kind || token.text !== text) throw new Unproved();
  }

  #next(): Token {
    return this.#tokens[this.#at++] ?? { kind: 'end', text: '' };
  }
}

/** Only ASCII blanks count: with the locale C, a server treats any character beyond ASCII as a letter. */
const isBlank = (literal: string): boolean => /^[ \t\n\v\f\r]*$/.test(literal);

function split(expression: string): readonly Token[] {
  const parts: Token[] = [];
  let end = 0;
  for (const match of expression.matchAll(tokens)) {
    const [all, literal, quoted, name, mark] = match;
    end = match.index + all.length;
    if (literal !== undefined) parts.push({ kind: 'literal', text: literal.replaceAll("''", "'") });
    else if (quoted !== undefined) parts.push({ kind: 'name', text: quoted.replaceAll('""', '"') });
    else parts.push(name !== undefined ? { kind: 'name', text: name } : { kind: 'mark', text: mark ?? '' });
  }
  if (expression.slice(end).trim() !== '') throw new Unproved();
  return parts;
}
