/** Sends the upstream the calls that the gateway has answered, and reports where the two answers differ. No client waits for this. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Emit, ShadowResult } from '../model/events.ts';
import { isStream, type Reply } from '../model/http.ts';
import type { ShortAnswer, UpstreamQuestion } from '../model/upstream-question.ts';
import type { JsonObject } from '../model/value.ts';
import { isObject, jsonIn, toJson } from '../values/json.ts';
import { inSlices } from '../values/slices.ts';
import { AnswerTooLong, type Questions } from './questions.ts';
import { type Comparison, type Difference, differencesOf } from './shadow-answers.ts';

/** A search that the gateway answered or refused. */
export interface ShadowedCall {
  /** The id of the gateway's resource. */
  readonly resource: string;
  /** The parameters for the upstream. */
  readonly params: JsonObject;
  /** The headers with the caller's own login at the upstream; empty for none. */
  readonly headers: UpstreamQuestion['headers'];
  /** The answer; null if the call was refused. */
  readonly reply: Reply | null;
  comparison(): Comparison;
}

/** The number of concurrent comparisons in each process. */
const maxRunning = 2;
/** Milliseconds within which the upstream must answer. */
const timeoutMs = 10_000;
/** The greatest length, in bytes, and the greatest depth of a gateway answer that is compared. */
const [maxBytes, maxDepth] = [1_000_000, 64];

const unzipped = promisify(gunzip);

export class Shadow {
  readonly #questions: Pick<Questions, 'ask'>;
  readonly #emit: Emit;
  #running = 0;

  constructor(questions: Pick<Questions, 'ask'>, emit: Emit) {
    this.#questions = questions;
    this.#emit = emit;
  }

  /** Compares a call in the background. Beyond its limits, it only counts the call. Never throws or rejects. */
  async compare(call: ShadowedCall): Promise<void> {
    const { resource } = call;
    if (this.#running >= maxRunning) return this.#emit({ on: 'shadowed', resource, result: 'busy' });
    this.#running += 1;
    const result = await this.#result(call).catch((cause: unknown) => {
      if (cause instanceof AnswerTooLong) return 'large';
      this.#emit({ on: 'shadow failed', resource, cause });
      return 'failed';
    });
    this.#running -= 1;
    this.#emit({ on: 'shadowed', resource, result });
  }

  /** @throws any error while talking to the upstream, and an error for an answer that is not CKAN's */
  async #result({ resource, params, headers, reply, comparison }: ShadowedCall): Promise<ShadowResult> {
    const sent = reply && (await textOf(reply));
    const target = '/api/3/action/datastore_search';
    const answer = await this.#questions.ask({ method: 'POST', target, headers, body: toJson(params) }, timeoutMs);
    if (answer.status === 401 || answer.status === 403) return 'denied';
    const differences = await differencesIn(sent, resultOf(answer), comparison);
    for (const { kind, columns } of differences) this.#emit({ on: 'shadow differs', resource, kind, columns });
    return differences.length === 0 ? 'same' : 'different';
  }
}

/** @param sent our answer's JSON; null if we refused the call. The other result is null if CKAN refused it */
async function differencesIn(
  sent: string | null,
  theirs: JsonObject | null,
  comparison: () => Comparison,
): Promise<readonly Difference[]> {
  if (sent === null) return theirs === null ? [] : [{ kind: 'refused by gateway', columns: [] }];
  if (theirs === null) return [{ kind: 'refused by upstream', columns: [] }];
  const read = await inSlices(jsonIn(sent, maxDepth));
  const ours = 'value' in read && isObject(read.value) ? read.value.result : undefined;
  if (!isObject(ours)) throw new Error('the answer of the gateway is not JSON');
  return inSlices(differencesOf(ours, theirs, comparison()));
}

/** An answer's JSON. @throws AnswerTooLong */
async function textOf({ headers, body }: Reply): Promise<string> {
  if (isStream(body) || body.length > maxBytes) throw new AnswerTooLong();
  if (headers['Content-Encoding'] !== 'gzip') return typeof body === 'string' ? body : Buffer.from(body).toString();
  const bytes = await unzipped(body, { maxOutputLength: maxBytes }).catch(() => null);
  if (bytes === null) throw new AnswerTooLong();
  return bytes.toString();
}

/** An answer's result; null if CKAN has refused the call. @throws Error for anything else, with a text for the log */
function resultOf({ status, body }: ShortAnswer): JsonObject | null {
  if (status === 200 && body?.success === true && isObject(body.result)) return body.result;
  if (status >= 400 && status < 500 && body?.success === false) return null;
  throw new Error(`the upstream answered ${status}, ${body === null ? 'not in JSON' : 'not as CKAN does'}`);
}
