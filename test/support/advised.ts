/** Runs `check` in this process and parses its JSON. */
import type { RuleName } from '../../src/advise/facts.ts';
import { type CheckOptions, check } from '../../src/commands/check.ts';
import { loadSettings } from '../../src/config/load.ts';

export interface Said {
  readonly path: string;
  readonly where: string;
  readonly text: string;
}

export interface Advised extends Said {
  readonly rule: string;
  readonly sql: readonly string[];
  readonly setting: string | null;
}

/** The document that `check --advise --json` prints. */
export interface Report {
  readonly servable: boolean;
  readonly errors: readonly Said[];
  readonly warnings: readonly Said[];
  readonly advice: readonly Advised[];
  readonly resources: readonly {
    readonly id: string;
    readonly columns: readonly { readonly name: string; readonly as: string | null }[] | null;
  }[];
  readonly notInFile: readonly {
    readonly tables: readonly string[];
    readonly leftOut: readonly { readonly table: string; readonly why: string }[];
  }[];
}

const options: CheckOptions = { list: false, json: false, advise: false, only: null };

/** The lines that `check` prints for a configuration. */
export async function runCheck(written: object, asked: Partial<CheckOptions> = {}): Promise<readonly string[]> {
  const loaded = loadSettings('my.yaml', {}, () => JSON.stringify(written, null, 1));
  if (!loaded.ok) throw new Error(loaded.complaints.map(({ text }) => text).join('\n'));
  const lines: string[] = [];
  await check(loaded.settings, loaded.positions, (line) => lines.push(line), { ...options, ...asked });
  return lines;
}

export async function report(written: object, only: RuleName | null = null): Promise<Report> {
  const lines = await runCheck(written, { json: true, advise: true, only });
  return JSON.parse(lines.join('\n'));
}

/** The advice of one rule. Throws if `check` reports errors. */
export async function adviceOf(written: object, rule: RuleName): Promise<readonly Advised[]> {
  const { errors, advice } = await report(written, rule);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return advice;
}
