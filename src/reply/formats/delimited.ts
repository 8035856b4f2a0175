import type { FormatMaker } from './format.ts';

/** Lines without a header, byte for byte as PostgreSQL's COPY writes CSV (contract 3.9): so a dump may be left to it. */
export function delimited(delimiter: string): FormatMaker {
  return {
    isJson: false,
    format: (_, encoders) => ({
      head: '',
      row(cells) {
        const values = encoders.map((encoder, index) => encoder.copy(cells[index] ?? null));
        return `${line(values, delimiter)}\n`;
      },
      between: '',
      tail: '',
    }),
  };
}

/** One line without its end. Null is nothing, the empty text `""`; anything else is quoted only where it must be. */
export function line(values: readonly (string | null)[], delimiter: string): string {
  // COPY quotes a line that would be its end-of-data mark.
  if (values.length === 1 && values[0] === '\\.') return '"\\."';
  return values.map((value) => (value === null ? '' : quoted(value, delimiter))).join(delimiter);
}

function quoted(value: string, delimiter: string): string {
  const isPlain = value !== '' && !value.includes(delimiter) && !/["\r\n]/.test(value);
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`;
}
