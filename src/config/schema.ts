import { stringify } from 'yaml';
import { z } from 'zod';
import { settingsTable } from './settings.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema of a configuration file, for editors. */
export function jsonSchema(): Schema {
  return z.toJSONSchema(settingsTable, { io: 'input', override: ({ jsonSchema }) => acceptSubstitution(jsonSchema) });
}

/** Accepts `${NAME}` wherever a schema restricts the text, because an editor does not know the variable's value. */
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

/** A setting, as the docs show it. */
export interface Described {
  /** The path, such as `server.port`, `resources.*.table` or `tokens[].name`. */
  readonly path: string;
  /** The default as it would be written, or a description if it depends on other settings; `required` for a required setting. */
  readonly default: string;
  readonly help: string;
  /** Whether a change takes effect only at a restart. */
  readonly restart: boolean;
}

/** All settings in the order of the file. A setting that several kinds of databases have appears once. */
export function describeSettings(): readonly Described[] {
  const all = described(jsonSchema(), '');
  return all.filter((line, i) => all.findIndex(({ path }) => path === line.path) === i);
}

function described(schema: Schema, path: string): readonly Described[] {
  const { properties, additionalProperties, items, anyOf, oneOf, description: help } = schema;
  const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`);
  return [
    ...(help === undefined ? [] : [{ path, default: byDefault(schema), help, restart: schema['x-restart'] === true }]),
    ...Object.entries(properties ?? {}).flatMap(([name, part]) => describedPart(part, pathOf(name))),
    ...describedPart(additionalProperties, pathOf('*')),
    ...(Array.isArray(items) ? [] : describedPart(items, `${path}[]`)),
    ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap((part) => describedPart(part, path)),
  ];
}

const describedPart = (part: Schema | boolean | undefined, path: string): readonly Described[] =>
  typeof part === 'object' ? described(part, path) : [];

function byDefault(schema: Schema): string {
  const words = schema['x-default'];
  if (typeof words === 'string') return words;
  return schema.default === undefined ? 'required' : stringify(schema.default).trim();
}
