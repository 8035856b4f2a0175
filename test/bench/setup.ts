import type { TestProject } from 'vitest/node';
import servers from '../support/servers/global.ts';
import { chosenOf, enginesOf } from './benchmarks.ts';

/** Starts the servers that the selected benchmarks need. `TEST_ENGINES` selects other ones. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const needed = enginesOf(chosenOf(process.argv));
  if (needed.length === 0) return undefined;
  process.env.TEST_ENGINES ??= needed.join();
  return servers(project);
}
