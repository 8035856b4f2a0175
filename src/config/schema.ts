import { stringify } from 'yaml';
import { z } from 'zod';
import { settingsTable } from './settings.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema of a configuration file, for editors. */
export function jsonSchema(): Schema {
  return z.toJSONSchema(settingsTable, { io: 'input', override: ({ jsonSchema }) => acceptSubstitution(jsonSchema) });
}

/** Where a schema restricts the text, `${NAME}` is valid, too: an editor does not have its value. */
function acceptSubstitution(schema: Schema): void {
  const { description, type, pattern, enum: words, const: word } = schema;
  if (description === undefined || type === 'array' || type === 'object') return;
  const substituted: Schema = { type: 'string', pattern: '\\$\\{.+\\}' };
  if (schema.anyOf !== undefined) schema.anyOf.push(substituted);
  else if ([pattern, words, word].some((limit) => limit !== undefined)) {
    const limits = Object.entries({ type, pattern, enum: words, const: word }).filter(([, v]) => v !== undefined);
    for (const [name] of limits) delete schema[name];
    schema.anyOf = [Object.fromEntries(limits), substituted];
  }
}

/** One line of the settings' documentation. */
export interface Described {
  /** `server.port`, `resources.*.table`, `tokens[].name`. */
  readonly path: string;
  /** As it would be written; in words where it depends on something else; `required` where there is none. */
  readonly default: string;
  readonly help: string;
  /** Whether it takes effect at a restart only. */
  readonly restart: boolean;
}

/** All settings in the order of the table; those that two kinds of database share appear once. */
export function describeSettings(): readonly Described[] {
  const all = described(jsonSchema(), '');
  return all.filter((line, i) => all.findIndex(({ path }) => path === line.path) === i);
}

function described(schema: Schema, path: string): readonly Described[] {
  const { properties, additionalProperties, items, anyOf, oneOf, description: help } = schema;
  const under = (name: string) => (path === '' ? name : `${path}.${name}`);
  return [
    ...(help === undefined ? [] : [{ path, default: byDefault(schema), help, restart: schema['x-restart'] === true }]),
    ...Object.entries(properties ?? {}).flatMap(([name, part]) => inside(part, under(name))),
    ...inside(additionalProperties, under('*')),
    ...(Array.isArray(items) ? [] : inside(items, `${path}[]`)),
    ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap((part) => inside(part, path)),
  ];
}

const inside = (part: Schema | boolean | undefined, path: string): readonly Described[] =>
  typeof part === 'object' ? described(part, path) : [];

function byDefault(schema: Schema): string {
  const words = schema['x-default'];
  if (typeof words === 'string') return words;
  return schema.default === undefined ? 'required' : stringify(schema.default).trim();
}
