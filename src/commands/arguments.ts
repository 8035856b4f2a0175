/** The command line → the command to run, with its options. Pure, apart from Node's parser. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type RuleName, ruleNames } from '../advise/facts.ts';
import type { CheckOptions } from './check.ts';
import { type CommandName, isCommand, unknownCommand } from './help.ts';
import type { InitOptions } from './init.ts';

export type Invocation =
  /** `target` is the path of a configuration or the URL of a database; null for the demo. */
  | { readonly command: 'serve'; readonly target: string | null; readonly port: number | null }
  | { readonly command: 'check'; readonly file: string; readonly options: CheckOptions }
  | { readonly command: 'init'; readonly urls: readonly string[]; readonly options: InitOptions; readonly yes: boolean }
  | {
      readonly command: 'add';
      readonly tables: readonly string[];
      readonly options: InitOptions;
      readonly yes: boolean;
    }
  | { readonly command: 'token'; readonly name: string }
  | { readonly command: 'help'; readonly about: CommandName | undefined }
  | { readonly command: 'version' };

/** Why the arguments are wrong, and the command whose help to show. */
export interface WrongArguments {
  readonly reason: string;
  readonly about?: CommandName;
}

const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true } as const;
const yesOrNo = { type: 'boolean' } as const;
const config = text;
const proposalOptions = { read: text, write: text, 'dry-run': yesOrNo, 'no-samples': yesOrNo, yes: yesOrNo } as const;

const options = {
  serve: { config, port: text },
  check: { config, list: yesOrNo, json: yesOrNo, advise: yesOrNo, only: text },
  init: {
    ...proposalOptions,
    ...{ output: { ...text, short: 'o' }, schema: list, tables: list, except: list, ids: text, merge: yesOrNo },
  },
  add: { ...proposalOptions, id: text },
  token: {},
  help: {},
  version: {},
} as const satisfies Record<CommandName, ParseArgsConfig['options']>;

const globalOptions = { help: { type: 'boolean', short: 'h' }, version: yesOrNo } as const;

/** Reads the arguments after the script's name. A reason never quotes a URL, because it may hold a password. */
export function readArguments(args: readonly string[]): Invocation | WrongArguments {
  const result = invocation(args);
  if (!('reason' in result)) return result;
  const urls = args.filter(isUrl).map((arg) => arg.replace(/^--?[\w-]+=/, ''));
  const withoutUrls = urls.reduce((reason, url) => reason.replaceAll(url, '(a URL)'), result.reason);
  return { ...result, reason: withoutUrls };
}

/** Whether an argument is a URL. A URL with a missing slash counts, too, because it must not be printed either. */
const isUrl = (arg: string): boolean => /^(?:--?[\w-]+=)?[a-z]+:\/*\S*@|:\/\//i.test(arg);

function invocation(args: readonly string[]): Invocation | WrongArguments {
  if (args.includes('--version')) return { command: 'version' };
  // The command must come first: it decides which options exist.
  const [name] = args;
  if (name === '-h' || name === '--help') return { command: 'help', about: undefined };
  if (name === undefined) return { reason: 'a command is missing' };
  if (name.startsWith('-')) return { reason: `a command must stand before ${name}` };
  if (isUrl(name)) return { reason: 'a command must stand before the URL: init, or serve' };
  if (!isCommand(name)) return { reason: unknownCommand(name) };
  if (args.includes('--help') || args.includes('-h')) return { command: 'help', about: name };
  try {
    const result = readers[name](args);
    return typeof result === 'string' ? { reason: result, about: name } : result;
  } catch (error) {
    // Only the first sentence: Node goes on to explain arguments that begin with a hyphen.
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    return { reason, about: name };
  }
}

/** Parses a command's arguments by its own options. Throws Node's error for an unknown option. */
function parse<O extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], own: O) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...own, ...globalOptions },
  });
  return { values, rest: positionals.slice(1) };
}

/** For each command, the function that reads its arguments. It returns or throws the reason if they are wrong. */
const readers: Readonly<Record<CommandName, (args: readonly string[]) => Invocation | string>> = {
  serve(args) {
    const { values, rest } = parse(args, options.serve);
    const [target = null, ...others] = values.config === undefined ? rest : [values.config, ...rest];
    const port = values.port === undefined ? null : Number(values.port);
    if (port !== null && !(/^\d{1,5}$/.test(values.port ?? '') && port <= 65_535))
      return `--port must be a number from 0 to 65535, got: ${values.port}`;
    if (others.length > 0) return 'serve takes one FILE or one URL';
    if (target !== null && isUrl(target) && !target.includes('://')) return 'a URL has two slashes: mysql://…';
    return { command: 'serve', target, port };
  },
  check(args) {
    const { values, rest } = parse(args, options.check);
    const [file, ...others] = values.config === undefined ? rest : [values.config, ...rest];
    if (file === undefined || others.length > 0) return 'check takes one FILE';
    if (isUrl(file)) return 'check takes a FILE, not a URL';
    const { list = false, json = false, advise = false } = values;
    const only: RuleName | null = oneOf('--only', values.only, ruleNames);
    if (only !== null && !advise) return '--only RULE belongs to --advise';
    return { command: 'check', file, options: { list, json, advise, only } };
  },
  init(args) {
    const { values, rest } = parse(args, options.init);
    if (rest.length === 0) return 'init takes the URL of a database, or several';
    const { schema: schemas = [], tables = [], except = [], merge = false } = values;
    const initOptions = { ...proposal(values), schemas, tables, except, each: 'any', merge, id: null } as const;
    const ids = oneOf('--ids', values.ids, ['table', 'uuid']) ?? 'table';
    return {
      ...{ command: 'init', urls: rest, yes: values.yes === true },
      options: { ...initOptions, ids, file: values.output ?? 'gateway.yaml' },
    };
  },
  add(args) {
    const { values, rest } = parse(args, options.add);
    const [file, ...tables] = rest;
    if (file === undefined || tables.length === 0) return 'add takes a FILE and at least one DATABASE.TABLE';
    if (isUrl(file)) return 'add takes a FILE, not a URL';
    const pattern = tables.find((name) => /[*?]/.test(name));
    if (pattern !== undefined) return `add takes names of tables, not patterns, got: ${pattern}`;
    const { id = null } = values;
    if (id !== null && tables.length > 1) return '--id is the id of one table, but there are several';
    const addOptions = { schemas: [], tables: [], except: [], each: 'one', merge: true, ids: 'table' } as const;
    return {
      command: 'add',
      tables,
      yes: values.yes === true,
      options: { ...proposal(values), ...addOptions, id, file },
    };
  },
  token(args) {
    const [create, owner, ...others] = parse(args, options.token).rest;
    const isRight = create === 'create' && owner !== undefined && others.length === 0;
    return isRight ? { command: 'token', name: owner } : 'token create takes one NAME';
  },
  help(args) {
    const [about] = parse(args, options.help).rest;
    if (about !== undefined && !isCommand(about)) return unknownCommand(about);
    return { command: 'help', about };
  },
  version(args) {
    parse(args, options.version);
    return { command: 'version' };
  },
};

interface ProposalValues {
  readonly read?: string | undefined;
  readonly write?: string | undefined;
  readonly 'dry-run'?: boolean | undefined;
  readonly 'no-samples'?: boolean | undefined;
}

const proposal = (values: ProposalValues) => ({
  read: oneOf('--read', values.read, ['token', 'public']),
  write: oneOf('--write', values.write, ['none', 'token']),
  dryRun: values['dry-run'] === true,
  samples: values['no-samples'] !== true,
});

function oneOf<const T extends string>(name: string, value: string | undefined, words: readonly T[]): T | null {
  if (value === undefined) return null;
  const match = words.find((word) => word === value);
  if (match === undefined) throw new Error(`${name} must be ${oneOfWords(words)}, got: ${value}`);
  return match;
}

const oneOfWords = (words: readonly string[]): string =>
  words.length < 4 ? words.join(' or ') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
