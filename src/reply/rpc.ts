/** Answers of `/mcp`: JSON-RPC messages, and the text of a tool's result. */
import { internal, Refusal } from '../model/errors.ts';
import type { Reply } from '../model/http.ts';
import { RpcError, type RpcId, rpcCodes } from '../model/rpc.ts';
import type { JsonObject } from '../model/value.ts';
import { toJson } from '../values/json.ts';

/** No cache may keep an answer: it depends on the token. */
const headers = { 'Cache-Control': 'no-store' };

/** The answer to a request that succeeded. @param result the JSON of the result */
export const rpcReply = (id: RpcId, result: string): Reply => ({
  status: 200,
  headers,
  // Node would encode a text twice: for its length, and to send it.
  body: Buffer.from(`{"jsonrpc":"2.0","id":${toJson(id)},"result":${result}}`),
});

/** The answer to a notification. */
export const rpcAccepted: Reply = { status: 202, headers, body: '' };

/**
 * The answer to a refused request.
 * @param id null if the message could not be read
 * @param more further headers
 */
export function rpcFailure(id: RpcId | null, error: unknown, more: Readonly<Record<string, string>> = {}): Reply {
  const { status, code, message, data } = error instanceof RpcError ? error : ofRefusal(error);
  const members: JsonObject = { code, message, ...(data === null ? {} : { data }) };
  const body = `{"jsonrpc":"2.0","id":${toJson(id)},"error":${toJson(members)}}`;
  return { status, headers: { ...more, ...headers }, body };
}

function ofRefusal(error: unknown): Pick<RpcError, 'status' | 'code' | 'message' | 'data'> {
  const { status, message } = error instanceof Refusal ? error : internal(error);
  return { status, code: status === 500 ? rpcCodes.internal : rpcCodes.refused, message, data: null };
}

/**
 * A tool's result. Structured content would double its size.
 * @param text JSON, in which invisible characters become equivalent escapes
 * @param about further members, for newer clients
 */
export const toolResult = (text: string, isError: boolean, about: JsonObject): string =>
  toJson({ ...about, content: [{ type: 'text', text: visible(text) }], isError });

/**
 * Escapes invisible characters, in which instructions for a model can hide: zero-width, directional, tags. Line ends and tabs stay, because
 * JSON has them only between values.
 */
function visible(json: string): string {
  // Most results are ASCII, in which JSON leaves only DEL unescaped. This test takes a fraction of the search's time.
  if (Buffer.byteLength(json) === json.length && !json.includes('\u007f')) return json;
  return json.replace(/(?![\t\n\r])[\p{Cc}\p{Cf}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => unicodeEscape(character.charCodeAt(at))).join(''),
  );
}

const unicodeEscape = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
