import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Levels with the longest files come first. Otherwise one worker would still be busy with such a file when all others have finished. */
const levels = ['hostile', 'e2e', 'fault', 'property', 'contract', 'real', 'wire', 'support', 'unit'];

/** Runs level after level, and the files of each level in an order that depends on the seed. */
export class LevelSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    const { seed } = sequence;
    // Vitest prints a seed only for its own random sequencer.
    this.ctx.logger.log(`Running tests with seed "${seed}"`);
    const rank = new Map(
      files.map((file) => [file, createHash('sha256').update(`${seed} ${file.moduleId}`).digest('hex')]),
    );
    const levelOf = ({ moduleId }: TestSpecification) =>
      levels.indexOf(relative(join(root, 'test'), moduleId).split(sep)[0] ?? '');
    const draw = (file: TestSpecification) => rank.get(file) ?? '';
    return [...files].sort((a, b) => levelOf(a) - levelOf(b) || (draw(a) < draw(b) ? -1 : 1));
  }
}
