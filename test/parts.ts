/** The parts of all tests: `npm test` runs two, `npm run test:rest` the others. No test runs twice on an engine. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const engineNames = ['pglite', 'postgres', 'mariadb', 'mysql', 'mysql56'] as const;
export type EngineName = (typeof engineNames)[number];

/** A project of vitest. */
export interface Part {
  /** None: it starts no server. */
  readonly engines: readonly EngineName[];
  /** Whether a test file belongs to it. @param file its path from the root of the repository */
  has(file: string): boolean;
}

const root = resolve(import.meta.dirname, '..');
const isUnit = (file: string) => file.startsWith('test/unit/');
const isLong = (file: string) => file.endsWith('.long.test.ts');
/** Tests without an engine, or with any, need not run again for MySQL. */
function usesEngines(file: string): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  const isForAny = /\banyEngine\(/.test(text) && !/\b(?:engines|servers|fewEngines)\(/.test(text);
  return /\/engines\.ts'/.test(text) && !isForAny;
}
const [pglite, postgres, mariadb, ...others] = engineNames;
const usual = [pglite, postgres, mariadb];

export const parts = {
  unit: { engines: [], has: isUnit },
  /** All but the unit tests. */
  all: { engines: engineNames, has: (file) => !isUnit(file) },
  usual: { engines: usual, has: (file) => !isUnit(file) && !isLong(file) },
  long: { engines: usual, has: isLong },
  others: { engines: others, has: (file) => !isUnit(file) && usesEngines(file) },
} satisfies Readonly<Record<string, Part>>;

export type PartName = keyof typeof parts;
export const isPart = (name: string): name is PartName => Object.hasOwn(parts, name);

/** The parts that a run has: those that `TEST_PARTS` names. */
export function partsOf(list = 'unit,all'): readonly PartName[] {
  const names = list.split(',');
  if (!names.every(isPart)) throw new Error(`TEST_PARTS must be some of ${Object.keys(parts)}, got: ${list}`);
  return names;
}
