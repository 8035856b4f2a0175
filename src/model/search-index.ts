/** A full-text index: its SQL expression, and the words that it can find. */
export interface SearchIndex {
  /** PostgreSQL: the tsvector expression, which a query must repeat verbatim to use the index. Unused on MySQL. */
  readonly expression: string;
  /** PostgreSQL: the name of the column, if the expression is just a stored tsvector column. */
  readonly stored?: string;
  /** PostgreSQL: the expression is NULL for a record whose text is NULL. */
  readonly mayBeNull?: true;
  /** Whether the index finds every record with this word. If not, search mode `auto` uses LIKE. */
  answers(word: string): boolean;
  /** Whether the engine leaves this word out of the index: too short, or a stop word. */
  ignores(word: string): boolean;
}
