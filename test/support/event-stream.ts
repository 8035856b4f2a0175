/** A client of server-sent events, as the standard says how to read them. */
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
  /** All events so far. */
  readonly changes: readonly Change[];
  /** The text so far. */
  text(): string;
  /** Resolves when there are so many events. */
  until(changes: number): Promise<readonly Change[]>;
  /** Resolves with the text when the server has ended the stream; true: in good order. */
  readonly ended: Promise<boolean>;
  readonly isEnded: () => boolean;
  /** Stops reading. */
  pause(): void;
  resume(): void;
  close(): void;
}

const action = '/api/3/action/datastore_changes';

/** @param query as in the URL; a name alone stands for one resource */
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
  let left = '';
  let isOver = false;
  answer.setEncoding('utf8');
  answer.on('data', (piece: string) => {
    text += piece;
    const events = (left + piece).split('\n\n');
    left = events.pop() ?? '';
    for (const event of events) {
      const fields = new Map(event.split('\n').map((line) => splitField(line)));
      if (fields.get('event') !== 'changed') continue;
      const data: { resource_id: string; version: number } = JSON.parse(fields.get('data') ?? '');
      changes.push({ id: fields.get('id') ?? '', resource: data.resource_id, version: data.version });
    }
  });
  // A cut connection is an error as well.
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
