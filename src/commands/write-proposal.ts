import { randomBytes } from 'node:crypto';
import type { Choices } from '../propose/proposal.ts';
import { fullName } from '../propose/yaml.ts';
import { check } from './check.ts';
import { configurationIn, create, replace } from './configuration-file.ts';
import { mergedConfiguration, type NewToken, newConfiguration, type Part, toPaste } from './configuration-text.ts';
import type { Terminal } from './terminal.ts';
import { hashOf, newToken } from './token.ts';

export interface ToWrite {
  readonly parts: readonly Part[];
  readonly file: string;
  readonly dryRun: boolean;
  readonly existing: string | null;
  /** The databases' passwords, by the variables that the file uses for them. */
  readonly passwords: Readonly<Record<string, string>>;
  /** Whether these are single tables from `add`. The check after writing then does not warn about the database's other tables. */
  readonly isAddition: boolean;
}

const plainCheck = { list: false, json: false, advise: false, only: null };

/** Writes the file, or adds to it, and checks the result. Returns whether it can be served. */
export async function writeProposal(
  { parts, file, dryRun, existing, passwords, isAddition }: ToWrite,
  terminal: Terminal,
): Promise<boolean> {
  const { print, show, explain, today, program } = terminal;
  const resources = parts.flatMap(({ proposal }) => proposal.resources);
  for (const { proposal, defaultSchema } of parts)
    for (const { table, why } of proposal.leftOut)
      explain(`left out: ${fullName(proposal.database, table, defaultSchema)}: ${why}`);
  if (resources.length === 0) {
    explain(
      existing === null
        ? 'There is no table to serve: nothing is written.'
        : `There is no table to add to ${file}: nothing is written.`,
    );
    if (existing === null || dryRun) return existing !== null;
    // Check the file even if there is nothing to add, so that `init --merge` reports tables that no longer exist.
    const { settings, positions } = configurationIn(file, existing, terminal.environment);
    return check(settings, positions, explain, plainCheck);
  }
  const token = existing !== null ? null : firstToken(resources.map(({ access }) => access));
  const text = existing === null ? newConfiguration(parts, token, today, file) : mergedConfiguration(existing, parts);
  if (text === null) {
    explain(`Nothing can be inserted into ${file} as it is written. Paste these lines into it:`);
    for (const line of toPaste(parts)) print(line);
    return false;
  }
  if (dryRun) {
    show(text);
    return true;
  }
  const environment = { ...terminal.environment, ...passwords };
  // Validate the text before writing it, so that an invalid file is never written.
  const { settings, positions } = configurationIn(file, text, environment);
  if (existing === null) create(file, text);
  else replace(file, text, existing);
  explain(
    `${existing === null ? 'Wrote' : 'Added to'} ${file}: ${resources.length} ${resources.length === 1 ? 'resource' : 'resources'}.`,
  );
  for (const [variable, password] of Object.entries(passwords))
    if (terminal.environment[variable] !== password)
      explain(`The password is not in the file: set the variable ${variable} before check and serve.`);
  if (token !== null) {
    explain('The token of its callers. It is shown only now; the file has its hash:');
    print(token.text);
  }
  const canBeServed = await check(settings, positions, explain, existing === null || isAddition ? null : plainCheck);
  if (canBeServed) explain(`Next: ${program} serve ${file}`);
  return canBeServed;
}

/** The first token of a new file; null if no resource needs one. */
function firstToken(
  accesses: readonly Pick<Choices, 'read' | 'write'>[],
): (NewToken & { readonly text: string }) | null {
  const mayWrite = accesses.some(({ write }) => write === 'token');
  if (!mayWrite && accesses.every(({ read }) => read === 'public')) return null;
  const text = newToken(randomBytes);
  return { name: 'first', sha256: hashOf(text), mayWrite, text };
}
