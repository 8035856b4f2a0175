import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** The median. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The ratio of two figures as they are printed, so that readers who divide them get the same; empty if there is no second one. */
export function ratioOf(figure: string, other: string): string {
  if (other === '') return '';
  const ratio = Number(figure) / Number(other);
  return ratio.toFixed(ratio < 10 ? 2 : 0);
}

/** Prints a Markdown table with the machine and the date. `RECORD=1` also writes it to `results/NAME.md`, from which the docs are generated. */
export function report(
  name: string,
  title: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const processors = cpus();
  const text = [
    `# ${title}`,
    '',
    line(header),
    line(header.map((_, at) => (at === 0 ? '---' : '---:'))),
    ...rows.map(line),
    '',
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version.slice(1)}, ${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}.`,
    '',
  ].join('\n');
  console.log(`\n${text}`);
  if (process.env.RECORD !== '1') return;
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.md`), text);
}
