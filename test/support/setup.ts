import type { TestProject } from 'vitest/node';
import compiled from './compiled.ts';
import servers from './servers/global.ts';

/** Starts the servers and compiles the source, in parallel. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = await Promise.allSettled([servers(project), compiled(project)]);
  const end = async () => {
    for (const one of started) if (one.status === 'fulfilled') await one.value();
  };
  for (const one of started) {
    if (one.status === 'fulfilled') continue;
    await end();
    throw one.reason;
  }
  return end;
}
