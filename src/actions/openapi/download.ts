/** Pure. The download URL: a page, not an action; it responds with a file. */
import type { JsonObject } from '../../model/value.ts';
import type { Limits } from '../action.ts';
import { dumpParameters } from '../datastore_dump.ts';
import { type DocumentedResource, inQuery } from './parameters.ts';

/**
 * @param mediaTypes of the files
 * @param refused the responses of every operation
 */
export function download(
  resources: readonly DocumentedResource[],
  bounds: Limits,
  mediaTypes: readonly string[],
  refused: JsonObject,
): JsonObject {
  const ids = resources.flatMap(({ id, aliases }) => [id, ...aliases]);
  const files = mediaTypes.map((type) => [type, { schema: type === 'application/json' ? {} : { type: 'string' } }]);
  return {
    get: {
      operationId: 'datastore_dump',
      description: 'Download a whole resource. A download that fails midway is cut off: its transfer has no valid end.',
      tags: ['data'],
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { enum: ids }, example: ids[0] ?? '' },
        // Of a repeated parameter the first counts, so a list is one text with commas.
        ...dumpParameters.map((one) => ({
          ...inQuery(one, resources, bounds),
          ...(isList(one.type) ? { explode: false } : {}),
        })),
      ],
      responses: { 200: { description: 'The file.', content: Object.fromEntries(files) }, ...refused },
    },
  };
}

const isList = (type: (typeof dumpParameters)[number]['type']): boolean => type === 'columns' || type === 'sort';
