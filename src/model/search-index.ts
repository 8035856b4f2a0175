/** A full-text index: its SQL expression, and the words that it can find. */
export interface SearchIndex {
  /** PostgreSQL: the tsvector expression, verbatim, or the index is not used. Unused on MySQL. */
  readonly expression: string;
  /** PostgreSQL: the stored column that the expression is. */
  readonly stored?: string;
  /** PostgreSQL: the expression is NULL for a record without a text. */
  readonly mayBeNull?: true;
  /** Whether the index can find every record with this word: `auto` uses it only then. */
  answers(word: string): boolean;
  /** Whether the engine leaves this word out of the index: too short, or a stop word. */
  ignores(word: string): boolean;
}
