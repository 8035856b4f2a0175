import { Claim } from '../model/claim.ts';

/** The sources of `${NAME}` and `${file:PATH}`; null for a variable or file that does not exist. */
export interface ExternalValues {
  variable(name: string): string | null;
  /** @returns the text of the file without its last line break */
  file(path: string): string | null;
}

export type Substituted =
  | { readonly ok: true; readonly text: string; readonly fromOutside: boolean }
  /** Each problem is the text of a complaint, after the path. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Substitutes variables and files; `$${` is a literal `${`. Substituted text is not substituted again.
 * @param inUrl whether values are percent-encoded, so that a password may contain `@`, `/` and `#`. If the text is a single
 * `${…}`, its value is the whole URL and is not encoded
 */
export function substitute(text: string, inUrl: boolean, outside: ExternalValues): Substituted {
  const encode = inUrl && !/^\$\{[^{}]*\}$/.test(text) ? encodeURIComponent : (value: string) => value;
  const problems: string[] = [];
  let fromOutside = false;
  const substituted = text.replace(/\$\$\{|\$\{([^{}]*)\}|\$\{/g, (match, inside: string | undefined) => {
    if (match === '$${') return '${';
    const file = /^file:(.+)$/.exec(inside ?? '')?.[1];
    const name = /^[A-Za-z_]\w*$/.exec(inside ?? '')?.[0];
    const value = file !== undefined ? outside.file(file) : name !== undefined ? outside.variable(name) : null;
    if (value !== null) {
      fromOutside = true;
      return encode(value);
    }
    if (file !== undefined) problems.push(`must be filled from the file ${file}, which cannot be read`);
    else if (name !== undefined)
      problems.push(`must be filled from the environment variable ${name}, which is not set`);
    else
      problems.push(
        inside?.startsWith('claim.') === true
          ? `must have \${${inside}} as a whole value, and in a filter (where)`
          : `must use \${NAME} for a variable or \${file:PATH} for a file; a literal \${ is written $\${`,
      );
    return '';
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, text: substituted, fromOutside };
}

/** The claim that a filter value stands for: `${claim.NAME}`, or `${claim.A.B}` for a member of an object. Null for any other text. */
export function claimIn(text: string): Claim | null {
  const path = /^\$\{claim\.([^{}]+)\}$/.exec(text)?.[1];
  return path === undefined ? null : new Claim(path.split('.'));
}
