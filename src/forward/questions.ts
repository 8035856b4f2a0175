/** Sends the upstream short requests from the gateway itself, and reads the answers. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Refusal } from '../model/errors.ts';
import type { ShortAnswer, UpstreamQuestion } from '../model/upstream-question.ts';
import type { JsonObject } from '../model/value.ts';
import { isObject, jsonIn } from '../values/json.ts';
import { inSlices } from '../values/slices.ts';
import { connections } from './connections.ts';
import { isLost, type UpstreamSettings } from './proxy.ts';
import { pathAt } from './target.ts';

/** The greatest length of an answer, in bytes, and its greatest depth. Beyond either, the answer is an error. */
const [maxBytes, maxDepth] = [1_000_000, 64];

/** The answer is longer than the gateway reads. */
export class AnswerTooLong extends Error {}

/** Each process has one for its lifetime, because it keeps connections open. */
export class Questions {
  readonly #url: URL;
  readonly #host: string;
  readonly #agent: ReturnType<typeof connections>;

  constructor(settings: Pick<UpstreamSettings, 'url' | 'host' | 'connectTimeout' | 'idleTimeout'>) {
    this.#url = new URL(settings.url);
    this.#host = settings.host ?? this.#url.host;
    this.#agent = connections(this.#url, settings);
  }

  /**
   * Sends a request, and once more if the upstream closed an idle connection just as we reused it.
   * @param timeoutMs how long the whole answer may take
   * @throws any error while talking to the upstream
   */
  ask(question: UpstreamQuestion, timeoutMs: number): Promise<ShortAnswer> {
    const signal = AbortSignal.timeout(timeoutMs);
    return this.#send(question, signal).catch((error: unknown) => {
      if (!isLost(error)) throw error;
      return this.#send(question, signal);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ method, target, headers, body }: UpstreamQuestion, signal: AbortSignal): Promise<ShortAnswer> {
    const { protocol, hostname, port, pathname } = this.#url;
    const length =
      body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = {
      ...{ agent: this.#agent, hostname: hostname.replace(/^\[|\]$/g, ''), port, method, signal },
      path: pathAt(pathname.replace(/\/$/, ''), target),
      headers: {
        host: this.#host,
        accept: 'application/json',
        'user-agent': 'datastore-gateway',
        ...length,
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const outgoing = protocol === 'https:' ? requestHttps(options) : requestHttp(options);
      outgoing.on('error', reject);
      outgoing.on('response', async (answer) => {
        try {
          const pieces: Buffer[] = [];
          let bytes = 0;
          for await (const piece of answer) {
            bytes += piece.length;
            // Throwing ends the loop, which destroys the connection.
            if (bytes > maxBytes) throw new AnswerTooLong(`the answer to ${target} is longer than ${maxBytes} bytes`);
            pieces.push(piece);
          }
          const { statusCode: status = 0, headers } = answer;
          resolve({
            ...{ status, location: headers.location ?? null },
            body: await objectOf(headers['content-type'], Buffer.concat(pieces).toString()),
          });
        } catch (error) {
          reject(error);
        }
      });
      outgoing.end(body ?? undefined);
    });
  }
}

async function objectOf(contentType: string | undefined, text: string): Promise<JsonObject | null> {
  if (!/^application\/json\b/i.test(contentType ?? '')) return null;
  try {
    const parsed = await inSlices(jsonIn(text, maxDepth));
    return 'value' in parsed && isObject(parsed.value) ? parsed.value : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
