/** The benchmarks by name, and the servers that each of them needs. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';

const suffix = '.bench.ts';
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(suffix));
const benchmarks: readonly string[] = files.map((name) => basename(name, suffix));

const all = ['postgres', 'mariadb', 'mysql', 'mysql56'];
const onePerDriver = ['postgres', 'mariadb'];
const postgres = ['postgres'];

/** The engines of benchmarks that do not run on all of them. */
const needs: Readonly<Record<string, readonly string[]>> = {
  cached: postgres,
  catalogue: postgres,
  churn: postgres,
  cluster: postgres,
  entries: postgres,
  explorer: onePerDriver,
  fleet: onePerDriver,
  measures: onePerDriver,
  mcp: postgres,
  outside: ['postgres', 'mariadb', 'mysql'],
  peers: postgres,
  portal: postgres,
  proxy: postgres,
  sql: postgres,
  works: onePerDriver,
  'write-workers': onePerDriver,
};

/** The benchmarks that a command line selects, by name or file; all of them if it selects none. Names must match exactly: `cached` does not select `uncached`. */
export function chosenOf(words: readonly string[]): readonly string[] {
  const chosen = benchmarks.filter((name) => words.some((word) => basename(word, suffix) === name));
  return chosen.length === 0 ? benchmarks : chosen;
}

/** The engines that these benchmarks measure. */
export function enginesOf(names: readonly string[]): readonly string[] {
  return all.filter((engine) => names.some((name) => (needs[name] ?? all).includes(engine)));
}
