import type { z } from 'zod';
import { nearest } from '../values/nearest.ts';
import { type Finding, type Path, show } from './complaints.ts';
import { replacementOf } from './removed.ts';
import { settingsTable, type Written } from './settings.ts';

export type Structure =
  | { readonly ok: true; readonly written: Written }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Checks each value of a file on its own. (`crosscheck` checks whether the settings agree with one another.) */
export function structure(tree: unknown): Structure {
  const result = settingsTable.safeParse(tree);
  if (result.success) return { ok: true, written: result.data };
  return { ok: false, findings: result.error.issues.flatMap((issue) => findings(issue, [], tree)) };
}

type Issue = z.core.$ZodIssue;

function findings(issue: Issue, parentPath: Path, tree: unknown): readonly Finding[] {
  const path = [...parentPath, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split(' ');
    return issue.keys.map((key) => {
      const at = [...path, key];
      return { path: at, says: replacementOf(at, valueAt(tree, at)) ?? unknownSetting(key, known) };
    });
  }
  if (issue.code === 'invalid_union') {
    // If only one alternative has the right type, it is the one that the operator meant: report the errors inside it.
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

/** The value at a path; undefined if the file does not have it. Inherited properties such as `constructor` are not found. */
export function valueAt(tree: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.getOwnPropertyDescriptor(value, step)?.value;
  }, tree);
}

/** The names in a mapping; none if the value is no mapping. */
export const keysOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

/** The paths of the items of a list; none if the value at the path is no list. */
export function itemsAt(tree: unknown, path: Path): readonly Path[] {
  const list = valueAt(tree, path);
  return Array.isArray(list) ? list.map((_, nth) => [...path, nth]) : [];
}
