/** Errors of a configuration: found at a path, reported with their position in the file, never with a secret. */

/** Keys and list indexes from the top of the file. */
export type Path = readonly (string | number)[];

/** Either the expected and the actual value, or a whole sentence about the path. A sentence must not contain a value. */
export type Finding =
  | { readonly path: Path; readonly must: string; readonly got: unknown }
  | { readonly path: Path; readonly says: string };

export interface Complaint {
  /** `resources.cars.table`; empty when it is about the file as a whole. */
  readonly path: string;
  /** `file:line:col`; null when the file could not be read. */
  readonly where: string | null;
  readonly text: string;
}

/** Positions of settings in the file. */
export interface Positions {
  /** `file:line:col` of the key or list item; of its nearest existing ancestor when it is not written. */
  where(path: Path): string;
  /** Whether the value must be hidden. It came from an environment variable or a secret file, or is a secret by its path. */
  hides(path: Path): boolean;
  /** The offset in the file, for sorting paths. */
  offset(path: Path): number;
}

/** A finding for the operator: `must be X, got: Y`, or `got: (hidden)`. */
export function complain(finding: Finding, positions: Positions): Complaint {
  const { path } = finding;
  const text =
    'says' in finding ? finding.says : `must be ${finding.must}, got: ${got(finding.got, positions.hides(path))}`;
  return { path: formatPath(path), where: positions.where(path), text };
}

/** One line: `resources.cars.table (my.yaml:12:5) must be the name of a table, got: 5`. */
export function formatComplaint({ path, where, text }: Complaint): string {
  const subject = path === '' ? (where ?? '') : where === null ? path : `${path} (${where})`;
  return `${subject} ${text}`.trimStart();
}

/** The number of resources that a combined line names. */
const mostNamed = 5;

/** A line for each finding. Equal findings of several resources share one line: fifty lines would hide the others. */
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
    const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
    const path = `${['resources.*', formatPath(rest)].filter((part) => part !== '').join('.')} of ${names.slice(0, mostNamed).join(', ')}${more}`;
    return formatComplaint({ ...complaint, path });
  });
}

/** `tokens[0].read`, `resources."a.b".table`: a step other than a plain word is quoted. */
export function formatPath(path: Path): string {
  return path
    .map((step) =>
      typeof step === 'number' ? `[${step}]` : /^[\p{L}\p{N}_-]+$/u.test(step) ? `.${step}` : `.${show(step)}`,
    )
    .join('')
    .replace(/^\./, '');
}

/** Text in quotes, cut short; text that looks like a misplaced secret is hidden, too. */
export function show(text: string): string {
  if (/:\/\/.*@|dsg_|[0-9a-f]{48}/is.test(text)) return '(hidden)';
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** Only scalars are shown: a whole mapping may contain a secret. */
function got(value: unknown, hidden: boolean): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty mapping' : 'a mapping';
  if (hidden) return '(hidden)';
  return typeof value === 'string' ? show(value) : String(value);
}
