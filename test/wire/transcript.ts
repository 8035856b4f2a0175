/**
 * Parses transcripts: requests and answers in turn, each followed by a line `===`. A request may start with remarks (`# …`); then come its request
 * line, headers, an empty line and the body. An answer is the status, the relevant headers, an empty line and the body.
 */

export interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}
export interface Exchange {
  /** The request as it is written in the file, with its remarks. */
  readonly asked: string;
  readonly request: Request;
  /** The answer as it is written in the file; empty if none has been recorded. */
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

/** The gateway that a transcript uses: from its remark `# gateway: name`, by default `main`. */
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
