/** Pure. Query strings and forms → their fields in order, with repeated names. */
import { malformed, type Refusal } from '../model/errors.ts';

export type Fields = readonly (readonly [name: string, value: string])[];

/**
 * Reads `a=1&b=2`, from a URL or a body. A lone `%` stays as it is, as in CKAN.
 * @throws Refusal malformed over `max` fields: they are counted before any is decoded
 */
export function urlencoded(text: string, max: number): Fields {
  const count = occurrences(text, '&') + 1;
  if (count > max) throw tooMany(max, count);
  return [...new URLSearchParams(text)];
}

const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;]*))/g;

/** The boundary that the parser goes by: another one may stand inside the quotes of a parameter before it. */
function boundaryOf(contentType: string): string | undefined {
  for (const [, name = '', quoted, plain = ''] of contentType.matchAll(parameter))
    if (name.toLowerCase() === 'boundary') return quoted ?? plain.trim();
  return undefined;
}

/**
 * Reads the text fields of `multipart/form-data` (contract 1.4, `-F a=b`).
 * @param contentType with its boundary; without one there are no fields
 * @throws Refusal malformed for a body that does not keep to its boundary, for a file, over `max` fields
 */
export async function multipart(contentType: string, body: Uint8Array, max: number): Promise<Fields> {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined || body.length === 0) return [];
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // The closing boundary follows the last part.
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

/** 400 for a call with more parameters than `limits.parameters`. */
export function tooMany(max: number, count: number): Refusal {
  return malformed(`more than ${max} parameters (limits.parameters), got ${count}`);
}
