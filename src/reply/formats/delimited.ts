import type { FormatMaker } from './format.ts';

/** Lines without a header, byte for byte as PostgreSQL's COPY writes CSV (contract 3.9): so a dump may be left to it. */
export function delimited(delimiter: string): FormatMaker {
  return {
    isJson: false,
    format(_, encoders) {
      const quoted = quoter(delimiter);
      const row: FormatOf['row'] = (cells) => {
        let text = '';
        for (let at = 0; at < encoders.length; at++) {
          if (at > 0) text += delimiter;
          text += quoted(encoders[at]?.copy(cells[at] ?? null) ?? null);
        }
        return `${alone(encoders.length, text)}\n`;
      };
      return { head: '', row, between: '', tail: '' };
    },
  };
}

type FormatOf = ReturnType<FormatMaker['format']>;

/** Writes lines without their end. Null is nothing, the empty text `""`; anything else is quoted only where it must be. */
export function line(delimiter: string): (values: readonly (string | null)[]) => string {
  const quoted = quoter(delimiter);
  return (values) => alone(values.length, values.map(quoted).join(delimiter));
}

/** Null is nothing; else in quotes where it must be. */
export function quoter(delimiter: string): (value: string | null) => string {
  const special = new RegExp(`["\r\n${delimiter}]`);
  return (value) => {
    if (value === null) return '';
    return value !== '' && !special.test(value) ? value : `"${value.replaceAll('"', '""')}"`;
  };
}

/** COPY quotes a line that would be its end-of-data mark. */
export const alone = (columns: number, text: string): string => (columns === 1 && text === '\\.' ? '"\\."' : text);
