/** Errors in a configuration: found at a path, and reported with their position in the file, but never with a secret. */

/** The keys and list indexes that lead from the top of the file to a setting. */
export type Path = readonly (string | number)[];

/** An error at a path: the expected and the actual value, or a whole sentence. A sentence must not quote values: no secrets. */
export type Finding =
  | { readonly path: Path; readonly must: string; readonly got: unknown }
  | { readonly path: Path; readonly says: string };

export interface Complaint {
  /** A path such as `resources.cars.table`; empty if the complaint is about the whole file. */
  readonly path: string;
  /** `file:line:col`; null if the file could not be read. */
  readonly where: string | null;
  readonly text: string;
}

/** Positions of settings in the file. */
export interface Positions {
  /** The `file:line:col` of the key or list item, or of its nearest ancestor in the file if it is absent. */
  where(path: Path): string;
  /** Whether the value must be hidden: it is from an environment variable or a file, or its setting is always secret. */
  hides(path: Path): boolean;
  /** The offset in the file, to sort complaints by position. */
  offset(path: Path): number;
}

/** The text of a finding, for the operator: `must be X, got: Y`, or `got: (hidden)`. */
export function complain(finding: Finding, positions: Positions): Complaint {
  const { path } = finding;
  const text =
    'says' in finding ? finding.says : `must be ${finding.must}, got: ${got(finding.got, positions.hides(path))}`;
  return { path: formatPath(path), where: positions.where(path), text };
}

/** A complaint in one line: `resources.cars.table (my.yaml:12:5) must be the name of a table, got: 5`. */
export function formatComplaint({ path, where, text }: Complaint): string {
  const subject = path === '' ? (where ?? '') : where === null ? path : `${path} (${where})`;
  return `${subject} ${text}`.trimStart();
}

/** How many resources a line names before "and 7 more". */
const maxNames = 5;

/** One line per finding. Equal findings about several resources share a line, because fifty lines would bury the others. */
export function complaintLines(findings: readonly Finding[], positions: Positions): readonly string[] {
  const groups = new Map<string, { readonly complaint: Complaint; readonly names: string[]; readonly rest: Path }>();
  for (const finding of findings) {
    const complaint = complain(finding, positions);
    const [first, name, ...rest] = finding.path;
    const isOfResource = first === 'resources' && name !== undefined;
    const key = JSON.stringify([isOfResource ? rest : finding.path, isOfResource, complaint.text]);
    const group = groups.get(key) ?? { complaint, names: [], rest };
    groups.set(key, group);
    if (isOfResource) group.names.push(formatPath([name]));
  }
  return [...groups.values()].map(({ complaint, names, rest }) => {
    if (names.length < 2) return formatComplaint(complaint);
    const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
    const path = `${['resources.*', formatPath(rest)].filter((part) => part !== '').join('.')} of ${names.slice(0, maxNames).join(', ')}${more}`;
    return formatComplaint({ ...complaint, path });
  });
}

/** A path as text: `tokens[0].read`, or `resources."a.b".table` with quotes around keys that are not plain words. */
export function formatPath(path: Path): string {
  return path
    .map((step) =>
      typeof step === 'number' ? `[${step}]` : /^[\p{L}\p{N}_-]+$/u.test(step) ? `.${step}` : `.${show(step)}`,
    )
    .join('')
    .replace(/^\./, '');
}

/** A text in quotes, truncated. A text that looks like a misplaced secret is hidden. */
export function show(text: string): string {
  if (/:\/\/.*@|dsg_|[0-9a-f]{48}/is.test(text)) return '(hidden)';
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** The actual value in a complaint. Only scalars are quoted, because a mapping may contain a secret. */
function got(value: unknown, hidden: boolean): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty mapping' : 'a mapping';
  if (hidden) return '(hidden)';
  return typeof value === 'string' ? show(value) : String(value);
}
