/** Pure. The kinds of refusals → the responses that every operation has. */
import { kinds, type RefusalKind } from '../../model/errors.ts';
import type { JsonObject } from '../../model/value.ts';
import { reference } from './parameters.ts';
import { closed } from './tables.ts';

const descriptions: Readonly<Record<RefusalKind, string>> = {
  malformed: 'The call cannot be read: no such action, no JSON, the wrong method.',
  parameters: 'Something that the client can mend, named by the parameter it came in.',
  denied: 'The token may not do this, or there is none. Never 401.',
  notFound: 'There is no such resource.',
  method: 'The wrong method.',
  invalid: 'Something that the client can mend, named by the parameter it came in.',
  tooLarge: 'The body is larger than the gateway takes.',
  mediaType: 'The body is of an unknown type.',
  internal: 'A bug of the gateway.',
  tooMany: 'There were too many calls of this token or address: try again later.',
  badGateway: 'The application behind, whose resource this is, cannot be reached or broke off.',
  busy: 'The application behind has enough to do: try again later.',
  unavailable: 'The database is away or busy: try again later.',
  unknownOutcome: 'The connection was lost while writing: the records may or may not be there.',
  gatewayTimeout: 'The application behind, whose resource this is, did not answer in time.',
};

/** Statuses with which a request is refused before it has been parsed. */
const beforeParsing: Readonly<Record<string, string>> = {
  '408': 'The headers or the body came too slowly.',
  '431': 'The URL and the headers are larger than the gateway takes: send filters by POST.',
};

/** The responses by status. Kinds of refusals with the same status share one. */
export function refusals(): JsonObject {
  const statuses = [...new Set(Object.values(kinds).map(({ status }) => status))].sort();
  const content = { 'application/json': { schema: { type: 'string' } } };
  return {
    ...Object.fromEntries(statuses.map((status) => [String(status), refusal(status)])),
    ...Object.fromEntries(
      Object.entries(beforeParsing).map(([status, description]) => [status, { description, content }]),
    ),
  };
}

function refusal(status: number): JsonObject {
  const ofStatus = Object.entries(kinds).filter(([, kind]) => kind.status === status);
  const bodies = new Map(ofStatus.map(([, { type }]) => (type === null ? ['', { type: 'string' }] : bodyOf(type))));
  const [first = {}, ...others] = bodies.values();
  const schema = others.length === 0 ? first : { anyOf: [first, ...others] };
  return {
    description: Object.entries(descriptions)
      .filter(([kind]) => ofStatus.some(([name]) => name === kind))
      .map(([, text]) => text)
      .join(' '),
    content: { 'application/json': { schema } },
  };
}

function bodyOf(type: string): readonly [name: string, schema: JsonObject] {
  const name = type === 'Validation Error' ? 'Invalid' : 'Refused';
  return [name, reference(name)];
}

/** The schemas of the two kinds of error bodies: one with a message, one with errors by parameter. */
export function refusalSchemas(): JsonObject {
  const types = Object.values(kinds).flatMap(({ type }) =>
    type === null || type === 'Validation Error' ? [] : [type],
  );
  const texts: JsonObject = { type: 'array', items: { type: 'string' } };
  const envelope = (error: JsonObject) =>
    closed({ help: { type: 'string' }, error, success: { const: false } }, ['help', 'error', 'success']);
  return {
    Refused: envelope(closed({ __type: { enum: types }, message: { type: 'string' } }, ['__type', 'message'])),
    // Texts by parameter. Some refusals add the row and field at fault, or the syntax error of a tsquery.
    Invalid: envelope({
      type: 'object',
      properties: {
        __type: { const: 'Validation Error' },
        records_row: { type: 'integer' },
        records_field: { anyOf: [{ type: 'string' }, texts] },
        info: closed({ orig: texts }),
      },
      required: ['__type'],
      additionalProperties: texts,
    }),
  };
}
