import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Levels and folders with the longest files come first. Otherwise one worker would still be busy with such a file when all others have finished. */
const levels = ['property/rows', 'hostile', 'e2e', 'fault', 'property', 'contract', 'real', 'wire', 'support', 'unit'];

/**
 * Runs project after project, level after level, and the files of each level in an order that depends on the seed. Vitest ends a worker
 * when the next file is of another project, and the new one loads everything again: with mixed projects, a seventh of the time went
 * there.
 */
export class LevelSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    const { seed } = sequence;
    // Vitest prints a seed only for its own random sequencer.
    this.ctx.logger.log(`Running tests with seed "${seed}"`);
    const rank = new Map(
      files.map((file) => [file, createHash('sha256').update(`${seed} ${file.moduleId}`).digest('hex')]),
    );
    const levelOf = ({ moduleId }: TestSpecification) => {
      const path = relative(join(root, 'test'), moduleId).split(sep).join('/');
      return levels.findIndex((level) => path.startsWith(`${level}/`));
    };
    const draw = (file: TestSpecification) => rank.get(file) ?? '';
    const projects = this.ctx.projects.map(({ name }) => name);
    const projectOf = ({ project }: TestSpecification) => projects.indexOf(project.name);
    return [...files].sort(
      (a, b) => projectOf(a) - projectOf(b) || levelOf(a) - levelOf(b) || (draw(a) < draw(b) ? -1 : 1),
    );
  }
}
