/** How each fenced block of the docs is tested: run, loaded, or compared. Blocks without a test are listed here with the reason. */
import type { Fence } from './fences.ts';
import { complaintsOf } from './fragments.ts';

/** What `test/clients/docs.client.ts` sets up before it runs the blocks of a page in order. */
export interface Scene {
  /** Whether the demo is running before the first block. Its token is in `$TOKEN`. */
  readonly demo: boolean;
  /** Whether the reader begins with a clean clone, and the first block installs and builds it. The test prints how long that takes. */
  readonly isFromClone?: true;
  /** Pages that go on where this one ends: their blocks are run after it. */
  readonly goesOnIn?: readonly string[];
  /** The database of the sample tables, its user, and the variable with the user's password; or whether a page makes its own. */
  readonly database: SampleDatabase | 'made by the page' | 'none';
}

export interface SampleDatabase {
  readonly name: string;
  readonly user: string;
  readonly variable: string;
}

const sampleDatabase: SampleDatabase = { name: 'erp', user: 'app', variable: 'ERP_PASSWORD' };

export const scenes: Readonly<Record<string, Scene>> = {
  'README.md': { demo: true, database: sampleDatabase },
  'docs/tutorial.md': {
    ...{ demo: false, isFromClone: true, database: 'made by the page' },
    goesOnIn: ['docs/tutorial-writing.md'],
  },
  'docs/publishing.md': { demo: false, database: sampleDatabase },
  'docs/api.md': { demo: true, database: 'none' },
  'docs/measures.md': { demo: true, database: 'none' },
  'docs/sql.md': { demo: false, database: sampleDatabase },
  'docs/change-notices.md': { demo: true, database: 'none' },
  'docs/clients.md': { demo: true, database: 'none' },
  'docs/fast-words.md': { demo: false, database: sampleDatabase },
  'docs/operations.md': { demo: false, database: sampleDatabase },
  'docs/configuration.md': { demo: false, database: sampleDatabase },
};

/** The pages whose blocks are run. */
const runPages = Object.entries(scenes).flatMap(([page, { goesOnIn = [] }]) => [page, ...goesOnIn]);

interface Named {
  readonly page: string;
  /** The first characters of the block. */
  readonly begins: string;
  readonly why: string;
}

/** Blocks that no test runs or compares, each with the reason. */
export const untestedBlocks: readonly Named[] = [
  { page: 'README.md', begins: '   browsers, curl', why: 'a picture' },
  { page: 'docs/architecture.md', begins: 'bytes ─► accept', why: 'a picture' },
  { page: 'docs/caching.md', begins: ' client ──►', why: 'a picture' },
  {
    page: 'README.md',
    begins: 'npm ci && npm start',
    why: '.ci/run runs it in a clean clone; here the demo serves already',
  },
  { page: 'docs/tutorial.md', begins: 'npm ci', why: 'docs.client.ts runs it before the others, in a clean clone' },
  { page: 'docs/clients.md', begins: 'library(ckanr)', why: 'needs R; other-forms.client.ts sends what ckanr sends' },
  { page: 'docs/clients.md', begins: 'library(dplyr)', why: 'needs R; honest-questions.ts has what dplyr sends' },
  { page: 'docs/mcp.md', begins: 'claude mcp', why: 'needs Claude Code; mcp.client.ts runs the official clients' },
  { page: 'docs/mcp.md', begins: '{\n  "servers"', why: 'a file of VS Code' },
  { page: 'docs/ckan-pages.md', begins: 'ckan.plugins', why: 'settings of CKAN; portal.ts starts one with them' },
  { page: 'docs/deployment.md', begins: 'server {', why: 'needs nginx' },
  {
    page: 'docs/deployment.md',
    begins: 'docker build',
    why: 'needs Docker; container.client.ts runs the Dockerfile without it',
  },
  {
    page: 'docs/deployment.md',
    begins: 'docker compose',
    why: 'needs Docker; test/unit/compose.test.ts reads compose.yaml',
  },
  { page: 'docs/deployment.md', begins: 'useradd', why: 'changes the system of the machine' },
  { page: 'docs/deployment.md', begins: 'scrape_configs:', why: 'a configuration of Prometheus' },
  { page: 'docs/upstream.md', begins: 'shadow of', why: 'shadow-report.test.ts compares it' },
  { page: 'docs/operations.md', begins: '{"level":50', why: 'docs-log.test.ts compares it' },
  { page: 'docs/operations.md', begins: '{"level":30', why: 'docs-log.test.ts compares it' },
  {
    page: 'docs/api.md',
    begins: 'npx openapi',
    why: 'downloads a program of others; openapi.test.ts reads the document',
  },
  {
    page: 'CONTRIBUTING.md',
    begins: 'RECORD=1',
    why: 'needs an idle machine for minutes; benchmarks.test.ts compares what it has written',
  },
  { page: 'docs/releasing.md', begins: 'npm version', why: 'publishes; pack.client.ts packs, and runs the package' },
  { page: 'docs/releasing.md', begins: 'npm audit', why: 'asks the registries about a published version' },
];

/** The languages whose blocks are run. */
const runs = ['sh', 'python', 'js', 'sql', 'diff'];

/** Generated parts of pages, which `test/unit/docs.test.ts` compares with the code. */
const generated = ['command line'];

export type Treatment = 'run' | 'output' | 'load' | 'generated' | 'named';

/** How a block is tested; null if no test covers it. */
export function treatmentOf(fence: Fence, exceptions = untestedBlocks): Treatment | null {
  const { page, language, before } = fence;
  if (exceptions.some((one) => isMeant(one, fence))) return 'named';
  if (generated.includes(fence.region ?? '')) return 'generated';
  if (language === 'yaml') return 'load';
  if (runs.includes(language)) return runPages.includes(page) ? 'run' : null;
  const isOutput = ['text', 'json'].includes(language) && before !== null;
  return isOutput && treatmentOf(before, exceptions) === 'run' ? 'output' : null;
}

const isMeant = ({ page, begins }: Named, fence: Fence): boolean =>
  page === fence.page && fence.text.startsWith(begins);

/** Everything wrong with the blocks: a block without a test, YAML that does not load, an exception whose block no longer exists. */
export function problemsOf(fences: readonly Fence[], exceptions = untestedBlocks): readonly string[] {
  return [
    ...fences.flatMap((fence) => {
      const at = `${fence.page}:${fence.line}`;
      const treatment = treatmentOf(fence, exceptions);
      if (treatment === null) return [`${at}: no test takes this block of "${fence.language}"`];
      return treatment === 'load' ? complaintsOf(fence.text).map((complaint) => `${at}: ${complaint}`) : [];
    }),
    ...exceptions.flatMap((one) => {
      const number = fences.filter((fence) => isMeant(one, fence)).length;
      return number === 1 ? [] : [`${one.page}: ${number} blocks begin with ${JSON.stringify(one.begins)}`];
    }),
  ];
}
