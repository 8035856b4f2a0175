import type { ComponentChildren } from 'preact';
import { type Json, type JsonObject, list, object, text, textOf, texts } from '../ask/json.ts';
import { say } from '../texts/index.ts';
import type { Call } from './operations.ts';

interface Parameter {
  readonly name: string;
  /** The JSON types that the parameter takes, or its values. */
  readonly takes: string;
  readonly help: string;
  readonly isRequired: boolean;
}

/** A call's parameters, from the OpenAPI document. Its descriptions are in English. */
export function Parameters({ document, call }: { readonly document: JsonObject; readonly call: Call }) {
  const parameters = call.kind === 'file' ? ofDownload(document) : ofAction(document, call.action);
  if (parameters.length === 0) return null;
  return (
    <section>
      <h2 id="parameters">{say.parameters}</h2>
      <table class="dictionary" aria-labelledby="parameters">
        <thead>
          <tr>
            <th scope="col">{say.parameter}</th>
            <th scope="col">{say.takes}</th>
            <th scope="col">{say.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map(({ name, takes, help, isRequired }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
                {isRequired && <small>{say.required}</small>}
              </th>
              <td>
                <code>{takes}</code>
              </td>
              <td lang="en">{withCode(help)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A text with code in backticks. */
const withCode = (text: string): ComponentChildren =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));

/** The document describes one resource, so each action has one schema. */
function ofAction({ components }: JsonObject, action: string): readonly Parameter[] {
  const schemas = Object.entries(object(object(components).schemas));
  const schema = object(schemas.find(([name]) => name.endsWith(`.${action}`))?.[1]);
  const required = texts(schema.required);
  return Object.entries(object(schema.properties)).map(([name, one]) => {
    const isRequired = required.includes(name);
    return { name, takes: typeWords(object(one)), help: text(object(one).description), isRequired };
  });
}

function ofDownload({ paths }: JsonObject): readonly Parameter[] {
  const { get } = object(object(paths)['/datastore/dump/{id}']);
  const parameters = list(object(get).parameters).map(object);
  return parameters
    .filter((one) => one.in === 'query')
    .map(({ name, description, required, schema, content }) => ({
      name: text(name),
      takes: typeWords(object(schema ?? object(object(content)['application/json']).schema)),
      help: text(description),
      isRequired: required === true,
    }));
}

/** At most this many values are listed: there may be one for each column. */
const maxValues = 12;

function typeWords(schema: JsonObject): string {
  const { type, enum: values, anyOf } = schema;
  if (values !== undefined) return list(values).slice(0, maxValues).map(textOf).join(', ');
  if (anyOf !== undefined) return [...new Set(list(anyOf).map((one) => typeWords(object(one))))].slice(0, 3).join(', ');
  return typeName(type);
}

const typeName = (type: Json | undefined): string => text(type) || 'object';
