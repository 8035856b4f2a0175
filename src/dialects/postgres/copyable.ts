import { escaped } from '../../values/printable.ts';

/** The same SQL with escapes for what a terminal does not show: `U&"line\000abreak"` is the name of two lines. */
export const copyable = (sql: string): string =>
  sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, (token) => {
    const written = escaped(token.replaceAll('\\', '\\\\'), unicode);
    // Outside of U& a backslash is one.
    return escaped(token, () => '') === token ? token : `U&${written}`;
  });

const unicode = (code: number): string =>
  code > 0xffff ? `\\+${code.toString(16).padStart(6, '0')}` : `\\${code.toString(16).padStart(4, '0')}`;
