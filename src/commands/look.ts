import { randomBytes } from 'node:crypto';
import { formatComplaint } from '../config/complaints.ts';
import { loadSettings } from '../config/load.ts';
import { withPort } from '../config/port.ts';
import { databaseOfUrl } from '../config/url.ts';
import type { Choices, Proposal } from '../propose/proposal.ts';
import { fullName } from '../propose/yaml.ts';
import { newConfiguration } from './configuration-text.ts';
import { Refused } from './refused.ts';
import { type Serving, serve } from './serve.ts';
import { proposeFor, surveyDatabase } from './survey-database.ts';
import type { Terminal } from './terminal.ts';
import { hashOf, newToken } from './token.ts';

/** Stands in for the file name in findings, because there is no file. */
const fileLabel = 'what init would write';
const allTables = { schemas: [], tables: [], except: [], each: 'any' } as const;
const choices: Choices = {
  read: 'token',
  write: 'none',
  leaveOut: 'unusable',
  named: () => false,
  id: () => null,
  shown: () => false,
};

/**
 * Serves all tables and views of a database for a first look: read only, on this machine only. It prints the token that callers
 * need.
 */
export async function look(
  url: string,
  port: number | null,
  { print, environment, today, program }: Omit<Terminal, 'ask'>,
): Promise<Serving | { readonly complaints: readonly string[] }> {
  const read = databaseOfUrl(url, { variable: (name) => environment[name] ?? null, file: () => null }, new Set());
  if (!read.ok) throw new Refused(read.why);
  const surveyed = await surveyDatabase(read.database, allTables, true);
  const { database, defaultSchema, server, catalog, survey } = surveyed;
  await survey.close();
  const proposal = proposeFor(surveyed, choices, surveyed.selected, new Set());
  if (proposal.resources.length === 0)
    throw new Refused(`database ${database.name} has no table that ${catalog.user || 'its user'} may read`);

  const token = newToken(randomBytes);
  const { name, client, connection } = database;
  const part = { database: { name, client, connection: read.written }, defaultSchema, server, isNew: true, proposal };
  const text = newConfiguration(
    [part],
    { name: 'look', sha256: hashOf(token), mayWrite: false },
    today,
    'gateway.yaml',
  );
  const password = connection.password === null ? {} : { [read.variable]: connection.password };
  const loaded = loadSettings(fileLabel, { ...environment, ...password }, () => text);
  if (!loaded.ok) throw new Error(loaded.complaints.map(formatComplaint).join('\n'));
  // Reading PostgreSQL's log would create a replication slot on the server: too much for a first look.
  const databases = new Map(
    [...loaded.settings.databases].map(([name, one]) => [name, { ...one, feed: 'none' as const }]),
  );
  const settings = withPort({ ...loaded.settings, databases }, port);
  const serving = await serve({ ...loaded, settings, readOnly: true });
  if ('complaints' in serving) return serving;

  const site = `http://127.0.0.1:${serving.port}`;
  const [first] = proposal.resources;
  const search = `${site}/api/action/datastore_search?resource_id=${encodeURIComponent(first?.ids[0] ?? '')}&limit=3`;
  for (const line of [
    '',
    `Looking at ${name} (${server}): ${proposal.resources.length} tables and views, read only, from this machine only.`,
    ...shortened(hiddenIn(proposal)),
    ...shortened(proposal.leftOut.map(({ table, why }) => `Left out: ${fullName(name, table, defaultSchema)}: ${why}`)),
    '',
    // The link carries the token, because the page shows no tables without it.
    `Open       ${site}/datastore/explore#token=${token}`,
    `Token      ${token}`,
    `Resources  ${proposal.resources
      .slice(0, maxPrinted)
      .map(({ ids: [id] }) => id)
      .join(', ')}${proposal.resources.length > maxPrinted ? ', …' : ''}`,
    '',
    `curl -s '${search}' -H 'Authorization: ${token}'`,
    '',
    `This is for looking, not for production. To keep and change what is served: ${program} init URL`,
    '',
  ])
    print(line);
  return serving;
}

const hiddenIn = ({ resources }: Proposal): readonly string[] =>
  resources.flatMap(({ ids: [id], columns }) =>
    columns.filter(({ hidden }) => hidden !== null).map(({ name, remark }) => `Hidden: ${id}.${name}: ${remark}`),
  );

/** How many lines or names of each kind are printed at most. */
const maxPrinted = 20;
const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= maxPrinted ? lines : [...lines.slice(0, maxPrinted), `… and ${lines.length - maxPrinted} more`];
