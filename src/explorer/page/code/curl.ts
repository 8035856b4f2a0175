import { indented, type Program } from './wanted.ts';

/** A command for POSIX shells. */
export const curl: Program = (wanted) => {
  const header = wanted.hasToken ? ' -H "Authorization: $TOKEN"' : '';
  // The long URL comes last, because the line may break there. `-g` keeps curl from expanding the brackets and braces of the filters.
  if (wanted.kind === 'file') return `curl -sfg --compressed${header} -o records.csv \\\n  ${quoted(wanted.url)}`;
  return `curl -s${header} -d ${quoted(indented(wanted.params))} ${quoted(wanted.url)}`;
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
