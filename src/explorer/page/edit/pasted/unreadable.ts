/** What is wrong with a pasted text. The page has a message for each fault. */
export type Fault =
  | { readonly is: 'tooLarge' | 'tooManyRows'; readonly most: number }
  | { readonly is: 'tooManyCells' | 'openQuote' | 'afterQuote' | 'noObject'; readonly line: number }
  | { readonly is: 'wrongCells'; readonly line: number; readonly has: number; readonly wants: number }
  | { readonly is: 'twice'; readonly name: string }
  /** A cell that cannot be a value of the column with this name; `why` is a sentence for the user. */
  | { readonly is: 'wrongCell'; readonly row: number; readonly name: string; readonly why: string }
  | { readonly is: 'noRows' | 'notUtf8' };

export class Unreadable extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.is);
    this.fault = fault;
  }
}
