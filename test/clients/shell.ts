import { execFile } from 'node:child_process';
import type { Json } from '../../src/model/value.ts';

export interface CurlAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** The `result` of a successful call. */
  readonly result: Readonly<Record<string, Json>>;
  /** The titles of the records that a search found. */
  readonly titles: readonly Json[];
}

/**
 * Pastes lines into a shell, as a user does. `curl` is the real one, but also prints status and content type. Throws if curl reports an error.
 * @param input what the lines read from standard input
 */
export function paste(lines: string, variables: Readonly<Record<string, string>>, input = ''): Promise<CurlAnswer> {
  const script = `curl() { command curl --silent --show-error -w '\\n%{http_code} %{content_type}' "$@"; }\n${lines}`;
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? '', ...variables };
    const { stdin } = execFile('bash', ['-c', script], { env }, (error, stdout, stderr) => {
      const [, body = '', status, type = ''] = /^([\s\S]*)\n(\d{3}) (.*)$/.exec(stdout) ?? [];
      if (error !== null || status === undefined) reject(new Error(`${lines}\n${stderr}${stdout}`));
      else resolve(read(Number(status), type, body));
    });
    stdin?.end(input);
  });
}

function read(status: number, type: string, body: string): CurlAnswer {
  const parsed = body.startsWith('{') ? JSON.parse(body) : null;
  const result = parsed?.success === true ? parsed.result : {};
  const records: readonly { readonly title: Json }[] = result.records ?? [];
  return { status, type, body, result, titles: records.map(({ title }) => title) };
}
