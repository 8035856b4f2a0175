/** The command line's help. */
import { ruleNames } from '../advise/facts.ts';
import { suggestion } from '../values/nearest.ts';

interface Command {
  /** The name and parameters, as the overview shows them. */
  readonly use: string;
  readonly does: string;
  /** The lines of the command's own help. */
  readonly more: readonly string[];
}

const proposing = [
  '  --read token|public   who may read; token unless it is said',
  '  --write none|token    who may write; none unless it is said',
  '  --no-samples          judge columns by their names and comments alone, and read no rows',
  '  --dry-run             print what would be written, and write nothing',
  '  --yes                 ask nothing, also at a terminal',
];

const commands = {
  serve: {
    use: 'serve [FILE | URL] [--port N]',
    does: 'serve FILE, or look at the database of URL; without either, a demo',
    more: [
      'Serves the configuration FILE until it is ended by SIGTERM or Ctrl-C. SIGHUP reads FILE again.',
      'With the URL of a database it serves all of its tables and views, for a first look: read only, on this machine',
      'only, with a token that it prints. Columns whose names say secrets or personal data are hidden.',
      'Without either it serves a demo: an embedded database in memory, which is gone when it ends.',
      '',
      '  --port N        listen on port N instead of server.port; 0 takes any free port',
      '  --config FILE   the same as FILE',
    ],
  },
  init: {
    use: 'init URL... [-o FILE] [options]',
    does: 'look at databases and write a configuration for their tables',
    more: [
      'Reads the catalogue of each database, and the first rows of each table: at most 1,000, the first 128 characters of',
      'each value, for at most a second. Changes nothing in it. Columns whose names, comments or values say secrets or',
      'personal data are hidden. With --read public only the columns that FILE lists are shown: later ones stay private.',
      "Writes FILE and checks it. In quotes, a URL may have its password in a variable, as 'mysql://app:$" +
        "{ERP_PASSWORD}@host/erp'.",
      'At a terminal it asks which tables to take and who may read them; elsewhere it takes safe answers.',
      '',
      '  -o, --output FILE     the file to write; gateway.yaml unless it is said',
      '  --merge               add missing tables to FILE by inserting lines; nothing else in it changes. Tell of new',
      '                        columns and of tables that are gone',
      '  --schema S            only tables of this schema; may be given several times',
      "  --tables PATTERN      only these tables, such as 'pub_*'; may be given several times",
      '  --except PATTERN      not these tables; may be given several times',
      '  --ids table|uuid      ids made from the names of the tables, or UUIDs; table unless it is said',
      ...proposing,
    ],
  },
  add: {
    use: 'add FILE DATABASE.TABLE... [options]',
    does: 'add tables of a configured database to FILE',
    more: [
      'Adds resources for these tables to FILE by inserting lines, as init --merge does, and checks FILE.',
      'DATABASE is a name in FILE; a table of another schema is DATABASE.SCHEMA.TABLE.',
      '',
      '  --id ID               the id of the one table that is added, such as the id that a portal has for it',
      ...proposing,
    ],
  },
  check: {
    use: 'check FILE',
    does: 'hold FILE against its databases and say what is wrong',
    more: [
      'Reads the configuration FILE, connects to its databases and looks at every table that it names.',
      'Says everything that is wrong, each with its place in FILE. Serves nothing and changes nothing.',
      'Warnings and advice do not change the exit code.',
      '',
      '  --list          say what is exposed, column by column, and which tables are not',
      '  --advise        say what would be faster or safer, with the SQL for it; nothing of it is executed',
      `  --only RULE     advice of one rule: ${ruleNames.slice(0, 5).join(', ')},`,
      `                  ${ruleNames.slice(5).join(', ')}`,
      '  --json          one JSON document, also of a wrong command line: servable, errors, warnings, resources,',
      '                  notInFile, shadows, advice',
      '  --config FILE   the same as FILE',
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
 * A command's help, or the overview of all commands.
 * @param program the name by which the program was called, so that users can paste the lines
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

/** The error text for an unknown command, which suggests the nearest one. */
export function unknownCommand(name: string): string {
  return `there is no command "${name}"${suggestion(name, Object.keys(commands))}`;
}
