import { readArguments } from '../../src/commands/arguments.ts';
import { add, init } from '../../src/commands/init.ts';
import { Refused } from '../../src/commands/refused.ts';
import type { Terminal } from '../../src/commands/terminal.ts';
import type { Ended } from './program.ts';

/**
 * Runs `init` or `add` in this process, without prompts: a process for each would take half a second to start. `test/real/proposals.long.test.ts` and
 * the tests with a pseudo-terminal run the real program.
 */
export async function typed(args: readonly string[], environment: Terminal['environment'] = {}): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  const terminal: Terminal = {
    print: (line) => {
      stdout += `${line}\n`;
    },
    show: (text) => {
      stdout += text;
    },
    explain: (text) => {
      stderr += `${text}\n`;
    },
    ...{ ask: null, environment, today: '2026-01-01', program: 'datastore-gateway' },
  };
  const given = readArguments(args);
  if ('reason' in given) return { code: 2, stdout, stderr: `${given.reason}\n` };
  try {
    // Called after the command has ended, so that it returns all of the output.
    const done = (isWell: boolean): Ended => ({ code: isWell ? 0 : 2, stdout, stderr });
    if (given.command === 'init') return done(await init(given.urls, given.options, terminal));
    if (given.command === 'add') return done(await add(given.tables, given.options, terminal));
  } catch (error) {
    if (error instanceof Refused) return { code: 2, stdout, stderr: `${error.message}\n` };
    throw error;
  }
  throw new Error(`${given.command} is not typed here`);
}
