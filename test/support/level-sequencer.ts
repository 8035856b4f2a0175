import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The levels with the longest files come first, so that no worker is left alone with one of them at the end. */
const levels = ['hostile', 'e2e', 'fault', 'property', 'contract', 'real', 'wire', 'support', 'unit'];

/** Level after level, the files of each in an order that the seed decides. */
export class LevelSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    const { seed } = sequence;
    // Vitest prints the seed of its own random sequencer only.
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
