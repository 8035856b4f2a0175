import type { z } from 'zod';
import { nearest } from '../values/nearest.ts';
import { type Finding, type Path, show } from './complaints.ts';
import { replacementOf } from './removed.ts';
import { settingsTable, type Written } from './settings.ts';

export type Structure =
  | { readonly ok: true; readonly written: Written }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Checks a tree against the table of settings: every value by itself, not whether they agree. */
export function structure(tree: unknown): Structure {
  const result = settingsTable.safeParse(tree);
  if (result.success) return { ok: true, written: result.data };
  return { ok: false, findings: result.error.issues.flatMap((issue) => findings(issue, [], tree)) };
}

type Issue = z.core.$ZodIssue;

function findings(issue: Issue, above: Path, tree: unknown): readonly Finding[] {
  const path = [...above, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split(' ');
    return issue.keys.map((key) => {
      const at = [...path, key];
      return { path: at, says: replacementOf(at, valueAt(tree, at)) ?? unknownSetting(key, known) };
    });
  }
  if (issue.code === 'invalid_union') {
    // The alternative of the right shape is the intended one: report the errors inside of it.
    const meant = issue.errors.filter((issues) => issues.length > 0 && issues.every(isInside));
    if (meant.length === 1) return (meant[0] ?? []).flatMap((inner) => findings(inner, path, tree));
  }
  const got = valueAt(tree, path);
  const says = replacementOf(path, got);
  return [says === null ? { path, must: issue.message, got } : { path, says }];
}

const isInside = (issue: Issue): boolean => issue.path.length > 0 || issue.code === 'unrecognized_keys';

function unknownSetting(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `is not a setting; ${near === null ? `known are: ${known.join(', ')}` : `did you mean ${show(near)}?`}`;
}

/** The value at a path; undefined where it is not written. Only own properties count: `constructor` is not written. */
export function valueAt(tree: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.getOwnPropertyDescriptor(value, step)?.value;
  }, tree);
}
