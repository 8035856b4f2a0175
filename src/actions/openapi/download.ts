/** Pure. The OpenAPI description of the download URL, which is a page, not an action. */
import type { JsonObject } from '../../model/value.ts';
import type { Limits } from '../action.ts';
import { dumpParameters } from '../datastore_dump.ts';
import { type DocumentedResource, inQuery, schemaOf } from './parameters.ts';
import { closed } from './tables.ts';

/**
 * The GET and POST operations of the download URL.
 * @param mediaTypes the media types of the files
 * @param refused the refusals, which every operation has
 */
export function download(
  resources: readonly DocumentedResource[],
  bounds: Limits,
  mediaTypes: readonly string[],
  refused: JsonObject,
): JsonObject {
  const ids = resources.flatMap(({ id, aliases }) => [id, ...aliases]);
  const files = mediaTypes.map((type) => [type, { schema: type === 'application/json' ? {} : { type: 'string' } }]);
  const responses = { 200: { description: 'The file.', content: Object.fromEntries(files) }, ...refused };
  const id = { name: 'id', in: 'path', required: true, schema: { enum: ids }, example: ids[0] ?? '' };
  return {
    get: {
      operationId: 'datastore_dump',
      description: 'Download a whole resource. A download that fails midway is cut off: its transfer has no valid end.',
      tags: ['data'],
      parameters: [
        id,
        // Of a repeated parameter only the first value counts, so a list must be sent as one comma-separated string.
        ...dumpParameters.map((one) => ({
          ...inQuery(one, resources, bounds),
          ...(isList(one.type) ? { explode: false } : {}),
        })),
      ],
      responses,
    },
    post: {
      operationId: 'post_datastore_dump',
      description: 'The same by a form, which may have the token as a field: a page can send it without a header.',
      tags: ['data'],
      parameters: [id],
      requestBody: { content: { 'application/x-www-form-urlencoded': form(resources, bounds) } },
      responses,
    },
  };
}

/** The form's fields. Lists and objects are sent as strings, as in the query string. */
function form(resources: readonly DocumentedResource[], bounds: Limits): JsonObject {
  const fields = dumpParameters.map((one) => {
    const isText = isList(one.type) || one.type === 'search' || one.type === 'filters';
    const schema: JsonObject = isText ? { type: 'string' } : schemaOf(one, resources, bounds);
    return [one.name, { description: one.help, ...schema }] as const;
  });
  const token: JsonObject = { type: 'string', format: 'password', description: 'The token of the caller.' };
  return { schema: closed({ ...Object.fromEntries(fields), token }) };
}

const isList = (type: (typeof dumpParameters)[number]['type']): boolean => type === 'columns' || type === 'sort';
