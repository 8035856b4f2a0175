import { indented, type Program } from './wanted.ts';

/** For a POSIX shell. */
export const curl: Program = (wanted) => {
  const header = wanted.hasToken ? ' -H "Authorization: $TOKEN"' : '';
  // The long address comes last: where it is broken, nothing follows it. curl itself would read the brackets and braces of its filters.
  if (wanted.kind === 'file') return `curl -sfg --compressed${header} -o records.csv \\\n  ${quoted(wanted.url)}`;
  return `curl -s${header} -d ${quoted(indented(wanted.params))} ${quoted(wanted.url)}`;
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
