/** Pure. Query strings and forms → their fields in order, a name as often as it was sent. */
import { malformed } from '../errors.ts';

export type Fields = readonly (readonly [name: string, value: string])[];

const maxFields = 1000;

/**
 * Reads `a=1&b=2`, from a URL or a body. A lone `%` stays as it is, as in CKAN.
 * @throws Refusal malformed over 1000 fields: they are counted before any is decoded
 */
export function urlencoded(text: string): Fields {
  if (occursOver(maxFields - 1, text, '&')) throw tooMany();
  return [...new URLSearchParams(text)];
}

/**
 * Reads the text fields of `multipart/form-data` (contract 1.4, `-F a=b`).
 * @param contentType with its boundary; without one there are no fields
 * @throws Refusal malformed for a body that does not keep to its boundary, for a file, over 1000 fields
 */
export async function multipart(contentType: string, body: Uint8Array): Promise<Fields> {
  const boundary = /;\s*boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary === undefined || body.length === 0) return [];
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // One more ends the last part.
  if (occursOver(maxFields + 1, bytes, `--${boundary}`)) throw tooMany();
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData().catch(() => null);
  if (form === null) throw malformed('the multipart body could not be read');
  const fields: [string, string][] = [];
  for (const [name, value] of form) {
    if (typeof value !== 'string') throw malformed(`files are not accepted, but ${JSON.stringify(name)} is one`);
    fields.push([name, value]);
  }
  return fields;
}

function occursOver(times: number, text: string | Buffer, part: string): boolean {
  let count = 0;
  for (let i = text.indexOf(part); i >= 0; i = text.indexOf(part, i + 1)) if (++count > times) return true;
  return false;
}

function tooMany() {
  return malformed(`more than ${maxFields} parameters`);
}
