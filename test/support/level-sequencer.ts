import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Level after level in the order of the configuration, the files of each in an order that the seed decides. A worker is reused for
 * files of one project only, so mixed levels would load all modules anew again and again.
 */
export class LevelSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    // Vitest prints the seed of its own random sequencer only.
    this.ctx.logger.log(`Running tests with seed "${seed}"`);
    const levels = this.ctx.projects.map(({ name }) => name);
    const rank = new Map(
      files.map((file) => [file, createHash('sha256').update(`${seed} ${file.moduleId}`).digest('hex')]),
    );
    const draw = (file: TestSpecification) => rank.get(file) ?? '';
    return [...files].sort(
      (a, b) => levels.indexOf(a.project.name) - levels.indexOf(b.project.name) || (draw(a) < draw(b) ? -1 : 1),
    );
  }
}
