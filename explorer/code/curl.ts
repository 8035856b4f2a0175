import { indented, type Program } from './wanted.ts';

/** For a POSIX shell. */
export const curl: Program = (wanted) => {
  const header = wanted.hasToken ? ' \\\n  -H "Authorization: $TOKEN"' : '';
  if (wanted.kind === 'file') return `curl -sf --compressed ${quoted(wanted.url)}${header} \\\n  -o records.csv`;
  return `curl -s ${quoted(wanted.url)}${header} \\\n  -d ${quoted(indented(wanted.params))}`;
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
