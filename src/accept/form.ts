/** Pure. Parses query strings and forms into lists of fields, in which names may repeat. */
import { malformed, type Refusal } from '../model/errors.ts';

export type Fields = readonly (readonly [name: string, value: string])[];

/**
 * Reads `a=1&b=2`, from a URL or a body. A lone `%` stays as it is, as in CKAN.
 * @throws Refusal malformed for more than `max` fields; they are counted before any is decoded
 */
export function urlencoded(text: string, max: number): Fields {
  const count = occurrences(text, '&') + 1;
  if (count > max) throw tooMany(max, count);
  return [...new URLSearchParams(text)];
}

const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;]*))/g;

/** The boundary in a `Content-Type`, read as the body's parser reads it: `a="; boundary=x"; boundary=y` has the boundary `y`. */
function boundaryOf(contentType: string): string | undefined {
  for (const [, name = '', quoted, plain = ''] of contentType.matchAll(parameter))
    if (name.toLowerCase() === 'boundary') return quoted ?? plain.trim();
  return undefined;
}

/**
 * Reads the text fields of `multipart/form-data`, as `curl -F a=b` sends them.
 * @param contentType the header with the boundary; without a boundary there are no fields
 * @throws Refusal malformed for a body that cannot be read with its boundary, for a file, and for more than `max` fields
 */
export async function multipart(contentType: string, body: Uint8Array, max: number): Promise<Fields> {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined || body.length === 0) return [];
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // Each part begins with the boundary, and one more closes the body.
  const count = occurrences(bytes, `--${boundary}`) - 1;
  if (count > max) throw tooMany(max, count);
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData().catch(() => null);
  if (form === null) throw malformed('the multipart body could not be read');
  const fields: [string, string][] = [];
  for (const [name, value] of form) {
    if (typeof value !== 'string') throw malformed(`files are not accepted, but ${JSON.stringify(name)} is one`);
    fields.push([name, value]);
  }
  return fields;
}

function occurrences(text: string | Buffer, part: string): number {
  let count = 0;
  for (let i = text.indexOf(part); i >= 0; i = text.indexOf(part, i + part.length)) count += 1;
  return count;
}

/** The refusal (400) of a call with more parameters than `limits.parameters`. */
export function tooMany(max: number, count: number): Refusal {
  return malformed(`more than ${max} parameters (limits.parameters), got ${count}`);
}
