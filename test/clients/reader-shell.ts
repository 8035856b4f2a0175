/** A shell for the blocks of a page, and the gateway in a second terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Printed {
  readonly code: number;
  /** Standard output and standard error in their order. */
  readonly text: string;
}

export interface ReaderShell {
  /** Runs lines up to the first failure. Variables stay set for the next ones. */
  run(lines: string): Promise<Printed>;
  /**
   * Runs a command that keeps serving until the next one, or the end.
   * @returns its standard output
   */
  serve(line: string): Promise<string>;
  /** Stops what is still running. Throws if it ends with an error. */
  close(): Promise<void>;
}

const limit = 120_000;

/** @param variables its whole environment */
export function openReaderShell(folder: string, variables: Readonly<Record<string, string>>): ReaderShell {
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env: variables });
  const mark = 'the block has ended with';
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (bytes) => {
      output += bytes;
    });
  let isServing = false;

  const command = async (line: string): Promise<Printed> => {
    output = '';
    shell.stdin.write(`${line}\nprintf '\\n${mark} %s\\n' "$?"\n`);
    const end = new RegExp(`\\n${mark} (\\d+)\\n$`);
    for (const until = Date.now() + limit; ; await sleep(10)) {
      const found = end.exec(output);
      if (found !== null) return { code: Number(found[1]), text: output.slice(0, found.index) };
      if (shell.exitCode !== null || Date.now() > until) throw new Error(`the shell has ended or hangs:\n${output}`);
    }
  };
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), `${text}\n`);
    return name;
  };
  const stop = async () => {
    if (!isServing) return;
    isServing = false;
    const { code } = await command('kill -TERM "$SERVED"; wait "$SERVED"');
    if (code !== 0) throw new Error(`the gateway ended with ${code}:\n${readFileSync(join(folder, 'log'), 'utf8')}`);
  };
  return {
    // Sourced, so that variables stay set; `return` leaves only the file, not the shell.
    run: (lines) =>
      command(
        `source ./${file('block.sh', `trap 'code=$?; trap - ERR; return $code' ERR\n${lines}\ntrap - ERR`)} </dev/null 2>&1`,
      ),
    async serve(line) {
      await stop();
      await command(`: > log; source ./${file('served.sh', line)} </dev/null > printed 2> log & SERVED=$!`);
      isServing = true;
      const read = (name: string) => readFileSync(join(folder, name), 'utf8');
      for (const until = Date.now() + limit; !read('log').includes('"msg":"started"'); await sleep(20)) {
        const { code } = await command('kill -0 "$SERVED" 2>/dev/null');
        if (code === 0 && Date.now() < until) continue;
        isServing = false;
        throw new Error(`${line}\n${read('printed')}${read('log')}`);
      }
      return read('printed');
    },
    async close() {
      try {
        await stop();
      } finally {
        await ended(shell);
      }
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.stdin?.end();
  if (child.exitCode === null) await exit;
}
