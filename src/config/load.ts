/** The configuration file, the environment and secret files → settings, or all complaints at once. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Connection, isServer, type ServerClient } from '../model/engines.ts';
import { codeOf } from '../values/error-code.ts';
import { assemble, type Settings } from './assemble.ts';
import { type Complaint, complain, type Finding, formatPath, type Path, type Positions } from './complaints.ts';
import { connectionFromMapping, connectionFromUrl } from './connection.ts';
import { crosscheck } from './crosscheck.ts';
import { readLayers } from './layers.ts';
import { readSource, type Source } from './source.ts';
import { structure, valueAt } from './structure.ts';
import { type ExternalValues, substitute } from './substitute.ts';

interface Loaded {
  readonly settings: Settings;
  /** When the file was last changed, in milliseconds since 1970; without a file, when it was read. */
  readonly changedAt: number;
}

export type LoadResult =
  | ({ readonly ok: true; readonly positions: Positions } & Loaded)
  | { readonly ok: false; readonly complaints: readonly Complaint[] };

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a configuration. It never throws: every error, even a missing file, becomes a complaint.
 * @param path the file, as complaints name it; relative paths in it start from its folder
 * @param readFile returns the text of a file, or throws
 */
export function loadSettings(
  path: string,
  environment: Environment,
  readFile = (file: string): string => readFileSync(file, 'utf8'),
): LoadResult {
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'there is no such file' : codeOf(error);
    return { ok: false, complaints: [{ path: '', where: null, text: `${path} cannot be read: ${why}` }] };
  }

  const folder = dirname(resolve(path));
  const file = (name: string): string | null => attempt(() => readFile(resolve(folder, name)));
  const outside: ExternalValues = {
    variable: (name) => (Object.hasOwn(environment, name) ? (environment[name] ?? null) : null),
    file: (name) => file(name)?.replace(/\r?\n$/, '') ?? null,
  };
  const source = readSource(text, path, (value, at) => substitute(value, isConnectionUrl(at), outside));
  if (!source.ok) return source;

  const shape = structure(source.tree);
  const { connections, findings } = connect(source.tree, 'connection', file);
  const feeds = connect(source.tree, 'feedConnection', file);
  const replicas = connectReplicas(source.tree, file);
  const { layers, findings: wrongLayers } = readLayers(source.tree, file);
  const laterFindings = [
    ...(shape.ok ? [] : shape.findings),
    ...[...crosscheck(source.tree), ...findings, ...feeds.findings, ...replicas.findings, ...wrongLayers],
  ];
  const all = [...source.findings, ...laterFindings.filter((finding) => !isUnreadable(finding.path, source))];
  if (shape.ok && all.length === 0) {
    return {
      ok: true,
      settings: assemble(
        shape.written,
        { connections, feeds: feeds.connections, replicas: replicas.connections, layers },
        folder,
      ),
      positions: source.positions,
      changedAt: attempt(() => statSync(path).mtimeMs) ?? Date.now(),
    };
  }
  const sorted = all
    .map((finding) => ({ finding, offset: source.positions.offset(finding.path) }))
    .sort((a, b) => a.offset - b.offset);
  return { ok: false, complaints: sorted.map(({ finding }) => complain(finding, source.positions)) };
}

const isConnectionUrl = (path: Path): boolean => path[0] === 'databases' && isConnection(path);
const isConnection = ({ length, 2: name }: Path): boolean =>
  length === 3 ? name === 'connection' || name === 'feedConnection' : length === 4 && name === 'replicas';

/** Whether a value, or a section around it, could not be read: further complaints about it would then only be noise. */
const isUnreadable = (path: Path, source: Source): boolean =>
  source.unreadable.has('') || path.some((_, i) => source.unreadable.has(formatPath(path.slice(0, i + 1))));

/** Reads one connection of each database server. A URL must fit the database's client. */
function connect(tree: unknown, setting: 'connection' | 'feedConnection', pem: Pem) {
  const connections = new Map<string, Connection>();
  const findings: Finding[] = [];
  for (const { name, client } of serversIn(tree)) {
    const path = ['databases', name, setting];
    const written = valueAt(tree, path);
    if (setting === 'feedConnection' && written === undefined) continue;
    const read = connectionAt(path, client, written, pem);
    if ('findings' in read) findings.push(...read.findings);
    else connections.set(name, read);
  }
  return { connections, findings };
}

/** Reads the connections to each database's read replicas. */
function connectReplicas(tree: unknown, pem: Pem) {
  const connections = new Map<string, readonly Connection[]>();
  const findings: Finding[] = [];
  for (const { name, client } of serversIn(tree)) {
    const path = ['databases', name, 'replicas'];
    const list = valueAt(tree, path);
    const read = (Array.isArray(list) ? list : []).map((one, nth) => connectionAt([...path, nth], client, one, pem));
    findings.push(...read.flatMap((one) => ('findings' in one ? one.findings : [])));
    connections.set(
      name,
      read.flatMap((one) => ('findings' in one ? [] : [one])),
    );
  }
  return { connections, findings };
}

/** Reads the text of a certificate file; null if it cannot be read. */
type Pem = (path: string) => string | null;

function serversIn(tree: unknown): readonly { readonly name: string; readonly client: ServerClient }[] {
  const databases = valueAt(tree, ['databases']);
  const names = typeof databases === 'object' && databases !== null ? Object.keys(databases) : [];
  return names.flatMap((name) => {
    const client = valueAt(tree, ['databases', name, 'client']);
    return isServer(client) ? [{ name, client }] : [];
  });
}

/** Reads one connection. For an invalid mapping the findings are empty, because the schema of the settings reports it. */
function connectionAt(
  path: Path,
  client: ServerClient,
  written: unknown,
  pem: Pem,
): Connection | { readonly findings: readonly Finding[] } {
  const read =
    typeof written === 'string' ? connectionFromUrl(client, written) : connectionFromMapping(client, written, pem);
  if (read?.ok === true) return read.connection;
  return { findings: read === null ? [] : [{ path, must: read.must, got: written }] };
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
