/**
 * The text of a transcript: requests and answers in turn, each ended by a line of `===`. A request may begin with remarks
 * (`# …`); then come its request line, its headers, an empty line and its body. An answer is the status, the headers that
 * matter, an empty line and the body.
 */

export interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}
export interface Exchange {
  /** The request as it stands in the file, remarks included. */
  readonly asked: string;
  readonly request: Request;
  /** The answer as it stands in the file; empty where none has been recorded. */
  readonly answered: string;
}

export function parseTranscript(text: string): readonly Exchange[] {
  const parts = text.split(/^===\n/m);
  if (parts.pop() !== '' || parts.length % 2 !== 0) throw new Error('each request and each answer must end with ===');
  return parts.flatMap((asked, at) =>
    at % 2 === 1 ? [] : [{ asked, request: parseRequest(asked), answered: parts[at + 1] ?? '' }],
  );
}

export function printTranscript(exchanges: readonly Exchange[]): string {
  return exchanges.map(({ asked, answered }) => `${asked}===\n${answered}===\n`).join('');
}

/** Which gateway a transcript talks to: its remark `# gateway: name`, else `main`. */
export function gatewayOf(text: string): string {
  return /^# gateway: (\w+)$/m.exec(text)?.[1] ?? 'main';
}

function parseRequest(asked: string): Request {
  const text = asked.replace(/^(?:#.*\n|\n)*/, '').replace(/\n$/, '');
  const gap = text.indexOf('\n\n');
  const head = gap < 0 ? text : text.slice(0, gap);
  const [first = '', ...headers] = head.split('\n');
  const [method = '', target = ''] = first.split(' ');
  return {
    method,
    target,
    headers: Object.fromEntries(headers.map((header) => [name(header), header.slice(header.indexOf(':') + 1).trim()])),
    body: gap < 0 ? null : text.slice(gap + 2),
  };
}

const name = (header: string): string => header.slice(0, header.indexOf(':')).toLowerCase();
