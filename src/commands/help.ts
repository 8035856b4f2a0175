/** The help of the command line. */
import { suggestion } from '../values/nearest.ts';

interface Command {
  /** As in the overview: name and parameters. */
  readonly use: string;
  readonly does: string;
  /** The lines of its own help. */
  readonly more: readonly string[];
}

const commands = {
  serve: {
    use: 'serve [FILE] [--port N]',
    does: 'serve FILE; without FILE, a demo',
    more: [
      'Serves the configuration FILE until it is ended by SIGTERM or Ctrl-C. SIGHUP reads FILE again.',
      'Without FILE it serves a demo: an embedded database in memory, which is gone when it ends.',
      '',
      '  --port N        listen on port N instead of server.port; 0 takes any free port',
      '  --config FILE   the same as FILE',
    ],
  },
  check: {
    use: 'check FILE',
    does: 'hold FILE against its databases and say what is wrong',
    more: [
      'Reads the configuration FILE, connects to its databases and looks at every table that it names.',
      'Says everything that is wrong, each with its place in FILE. Serves nothing and changes nothing.',
    ],
  },
  token: {
    use: 'token create NAME',
    does: 'make a token for NAME',
    more: [
      'Prints a new token and, in a second line, what the configuration needs to know it: paste that below "tokens:".',
      'NAME is 1 to 64 letters, digits, _ . or -, and stands in the log for whoever uses the token.',
    ],
  },
  help: { use: 'help [COMMAND]', does: 'say more about a command; so does COMMAND --help', more: [] },
  version: { use: 'version', does: 'say which version this is; so does --version', more: [] },
} satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

/**
 * The help of a command, or of all.
 * @param program the name by which the program was called, so that its lines can be pasted
 */
export function help(program: string, command: CommandName | undefined): string {
  const one = command === undefined ? undefined : commands[command];
  if (one !== undefined && one.more.length > 0) return [`Use: ${program} ${one.use}`, '', ...one.more].join('\n');
  const width = Math.max(...Object.values(commands).map(({ use }) => use.length));
  return [
    `Use: ${program} COMMAND`,
    '',
    ...Object.values(commands).map(({ use, does }) => `  ${use.padEnd(width)}   ${does}`),
    '',
    'Exit codes: 0 well, 1 failed, 2 the configuration or the command line is wrong.',
  ].join('\n');
}

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

/** A sentence that there is no such command, with the nearest one. */
export function unknownCommand(name: string): string {
  return `there is no command "${name}"${suggestion(name, Object.keys(commands))}`;
}
