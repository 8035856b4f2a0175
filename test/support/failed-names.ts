import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Names the failed tests once more in the last lines of a run: a log of CI is often cut, and those lines are left. */
export class FailedNames implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap((module) =>
      [...module.children.allTests('failed')].map((test) => ({ module, test })),
    );
    for (const { module, test } of failed.slice(0, maxNames)) {
      const [error] = test.result().errors ?? [];
      const name = `${relative(process.cwd(), module.moduleId)} > ${test.fullName}`;
      console.log(`FAILED ${name}: ${error?.message.slice(0, 200)}`);
    }
    if (failed.length > maxNames) console.log(`FAILED ${failed.length} in all`);
  }
}

const maxNames = 20;
