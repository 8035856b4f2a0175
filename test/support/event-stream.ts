/** A client for server-sent events that follows the HTML standard. */
import { type IncomingMessage, request } from 'node:http';
import { vi } from 'vitest';

export interface Change {
  readonly id: string;
  readonly resource: string;
  readonly version: number;
}

export interface EventStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** All change events so far. */
  readonly changes: readonly Change[];
  /** The raw text so far. */
  text(): string;
  /** Resolves once this many changes have arrived. */
  until(changes: number): Promise<readonly Change[]>;
  /** Resolves when the stream ends: true if the server closed it properly, false if the connection broke. */
  readonly ended: Promise<boolean>;
  readonly isEnded: () => boolean;
  /** Stops reading from the socket. */
  pause(): void;
  resume(): void;
  close(): void;
}

const action = '/api/3/action/datastore_changes';

/** @param query a query string, or only the name of a resource */
export async function subscribe(
  url: string,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const sent = request(`${url}${action}?${query.includes('=') ? query : `resource_id=${query}`}`, {
    headers,
    agent: false,
  });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end();
  });
  const changes: Change[] = [];
  let text = '';
  let unparsed = '';
  let isOver = false;
  answer.setEncoding('utf8');
  answer.on('data', (piece: string) => {
    text += piece;
    const events = (unparsed + piece).split('\n\n');
    unparsed = events.pop() ?? '';
    for (const event of events) {
      const fields = new Map(event.split('\n').map((line) => splitField(line)));
      if (fields.get('event') !== 'changed') continue;
      const data: { resource_id: string; version: number } = JSON.parse(fields.get('data') ?? '');
      changes.push({ id: fields.get('id') ?? '', resource: data.resource_id, version: data.version });
    }
  });
  // A broken connection is also reported as an error event; the test looks at `ended`.
  answer.on('error', () => undefined);
  const ended = new Promise<boolean>((resolve) => {
    answer.on('close', () => {
      isOver = true;
      resolve(answer.complete);
    });
  });
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    changes,
    text: () => text,
    async until(count) {
      await vi.waitFor(
        () => {
          if (changes.length < count) throw new Error(`${changes.length} of ${count} events: ${text}`);
        },
        { timeout: 10_000, interval: 5 },
      );
      return changes;
    },
    ended,
    isEnded: () => isOver,
    pause: () => void answer.pause(),
    resume: () => void answer.resume(),
    close: () => void sent.destroy(),
  };
}

function splitField(line: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
  return [name, value];
}
