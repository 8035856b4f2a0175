import type { FormatMaker } from './format.ts';

/** Lines without a header, byte for byte as PostgreSQL's COPY writes CSV (contract 3.9): so a dump may be left to it. */
export function delimited(delimiter: string): FormatMaker {
  return {
    isJson: false,
    format(_, encoders) {
      const write = line(delimiter);
      return {
        head: '',
        row: (cells) => `${write(encoders.map((encoder, index) => encoder.copy(cells[index] ?? null)))}\n`,
        between: '',
        tail: '',
      };
    },
  };
}

/** Writes lines without their end. Null is nothing, the empty text `""`; anything else is quoted only where it must be. */
export function line(delimiter: string): (values: readonly (string | null)[]) => string {
  const special = new RegExp(`["\r\n${delimiter}]`);
  const quoted = (value: string) => (value !== '' && !special.test(value) ? value : `"${value.replaceAll('"', '""')}"`);
  return (values) => {
    // COPY quotes a line that would be its end-of-data mark.
    if (values.length === 1 && values[0] === '\\.') return '"\\."';
    return values.map((value) => (value === null ? '' : quoted(value))).join(delimiter);
  };
}
