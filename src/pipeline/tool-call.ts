/** A call of a tool: its action, with a result that is short enough for a model. */
import { parametersOf, type Tool } from '../actions/tools.ts';
import { internal, invalid, Refusal } from '../model/errors.ts';
import { isStream } from '../model/http.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { errorOf, resultIn } from '../reply/envelope.ts';
import { isObject, parseJson, toJson } from '../values/json.ts';
import { jsonList } from '../values/json-list.ts';
import { shortQuotes } from '../values/short-quotes.ts';
import { type ActionCall, asActionCall, type Call } from './call.ts';
import { answerOfError, type CallAnswer } from './finish.ts';
import { answerOwn } from './own-action.ts';

/** The answer of the action, and the text for the model. */
export interface ToolAnswer {
  readonly answer: CallAnswer;
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool. A refusal of its action is an answer, too: the model reads it and corrects its arguments. */
export async function callTool(sent: Call, tool: Tool, given: JsonObject): Promise<ToolAnswer> {
  const call = asActionCall(sent, tool.action.name);
  try {
    const params = parametersOf(tool, given, hasPages(call, given.resource_id));
    return { ...(await shortened(call, tool, params)), isError: false };
  } catch (error) {
    const answer = answerOfError(error, call);
    call.log.status = answer.reply.status;
    const refusal = error instanceof Refusal ? error : internal(error);
    return { answer, text: toJson(shortQuotes(errorOf(refusal), given)), isError: true };
  }
}

/** Whether the resource can be read in pages. Without a key, the search refuses `include_next_page`. */
function hasPages({ gateway }: ActionCall, id: Json | undefined): boolean {
  const table = typeof id === 'string' ? gateway.byName.get(id)?.table : undefined;
  return typeof table !== 'object' || table.order.isTotal;
}

/** Room for what may follow the list in a shorter result: a cursor, and `shortened_to`. */
const reservedBytes = 600;

/** Calls the action, and again with fewer items while the result is longer than `mcp.resultBytes`. */
async function shortened(call: ActionCall, tool: Tool, params: JsonObject): Promise<Omit<ToolAnswer, 'isError'>> {
  const { resultBytes } = call.gateway.settings.mcp;
  let { answer, result } = await ask(call, tool, params);
  let kept: number | null = null;
  if (tool.action.about === 'select') return { answer, text: cut(result, tool, resultBytes) };
  while (result.length > resultBytes) {
    const found = jsonList(result, tool.list, 2 * resultBytes);
    const { begin, ends, end } = found ?? { begin: 0, ends: [], end: null };
    const rest = reservedBytes + (end === null ? begin : result.length - (end - begin));
    const fitting = ends.filter((at) => at - begin <= resultBytes - rest).length;
    const count: number = Math.max(1, Math.min(fitting, (kept ?? Number.POSITIVE_INFINITY) - 1));
    if (count === kept || found === null) throw tooLong(tool, resultBytes);
    kept = count;
    const fewer =
      tool.list === 'fields' ? { fields: idsOf(result.toString('utf8', begin, ends[count - 1])) } : { limit: count };
    ({ answer, result } = await ask(call, tool, { ...params, ...fewer }));
  }
  const text = result.toString();
  return { answer, text: kept === null ? text : `${text.slice(0, -1)},"shortened_to":${kept}}` };
}

/** The result with as many records as there is room for. A SELECT is not run again with a lower limit, because its LIMIT is part of its text. */
function cut(result: Buffer, tool: Tool, resultBytes: number): string {
  if (result.length <= resultBytes) return result.toString();
  const { begin, ends, end } = jsonList(result, tool.list, result.length) ?? { begin: 0, ends: [], end: null };
  const rest = end === null ? result.length : result.length - (end - begin);
  const fitting = ends.filter((at) => at - begin + rest + reservedBytes <= resultBytes);
  const last = fitting.at(-1);
  if (last === undefined || end === null) throw tooLong(tool, resultBytes);
  const shown = `${result.toString('utf8', 0, last)}${result.toString('utf8', end)}`;
  return `${shown.slice(0, -1)},"shortened_to":${fitting.length}}`;
}

async function ask(call: ActionCall, { action }: Tool, params: JsonObject) {
  const received = { params, records: null, anonymous: false, callback: null };
  const answer = await answerOwn(call, action, received, null);
  const { body } = answer.reply;
  if (body === null || isStream(body)) throw new TypeError('the result of a tool is no body');
  return { answer, result: resultIn(call.help, body) };
}

function tooLong({ list }: Tool, resultBytes: number): Refusal {
  const advice = list === 'records' ? 'ask for fewer fields' : 'its texts are too long';
  return invalid({ [list]: [`one alone is over ${resultBytes} bytes (mcp.resultBytes): ${advice}`] });
}

/** The ids of described fields. @param items JSON, without the brackets of the list */
function idsOf(items: string): readonly string[] {
  const fields = parseJson(`[${items}]`, 1000);
  return Array.isArray(fields)
    ? fields.flatMap((one: Json) => (isObject(one) && typeof one.id === 'string' ? [one.id] : []))
    : [];
}
