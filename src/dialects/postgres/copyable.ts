import { escaped } from '../../values/printable.ts';

/** Escapes characters that a terminal does not show: `U&"line\000abreak"` is a name with a line break. */
export const copyable = (sql: string): string =>
  sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, (token) => {
    const written = escaped(token.replaceAll('\\', '\\\\'), unicode);
    // Without U& a backslash is an ordinary character, so names without invisible characters stay as they are.
    return escaped(token, () => '') === token ? token : `U&${written}`;
  });

const unicode = (code: number): string =>
  code > 0xffff ? `\\+${code.toString(16).padStart(6, '0')}` : `\\${code.toString(16).padStart(4, '0')}`;
