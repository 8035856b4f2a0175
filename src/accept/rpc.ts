/** Pure. The body of a POST → one JSON-RPC message. */
import { isUtf8 } from 'node:buffer';
import { isLosslessNumber } from 'lossless-json';
import { Refusal } from '../model/errors.ts';
import { RpcError, type RpcId, type RpcRequest } from '../model/rpc.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { isList, isObject, jsonIn } from '../values/json.ts';
import { inSlices } from '../values/slices.ts';

/** A message and its `params` nest two levels deeper than the arguments, which may nest as deep as the body of an action. */
const levelsAround = 2;

/**
 * Reads a request, exact to the digit.
 * @param depth `limits.depth`
 * @returns null for a notification, which has no answer
 * @throws RpcError 400 for anything else: no JSON, a batch, a response, an id that is neither a text nor a whole number
 */
export async function readRpc(body: Buffer, depth: number): Promise<RpcRequest | null> {
  const message = await jsonOf(body, depth + levelsAround);
  if (isList(message)) throw new RpcError(400, 'request', 'batches are not supported: send one request per POST');
  if (!isObject(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string')
    throw new RpcError(400, 'request', 'not a JSON-RPC 2.0 request: "jsonrpc" must be "2.0", and "method" a text');
  const { method } = message;
  if (!Object.hasOwn(message, 'id')) return null;
  return { id: idOf(message), method, params: paramsOf(message) };
}

async function jsonOf(body: Buffer, depth: number): Promise<Json> {
  if (!isUtf8(body)) throw new RpcError(400, 'parse', 'the body is not UTF-8');
  try {
    const parsed = await inSlices(jsonIn(body.toString(), depth));
    if ('value' in parsed) return parsed.value;
  } catch (error) {
    if (error instanceof Refusal) throw new RpcError(400, 'parse', error.message);
    throw error;
  }
  throw new RpcError(400, 'parse', 'the body is not JSON');
}

function idOf({ id }: JsonObject): RpcId {
  if (typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id))) return id;
  if (isLosslessNumber(id) && /^-?\d+$/.test(id.value)) return id;
  throw new RpcError(400, 'request', 'the "id" of a request must be a text or a whole number');
}

function paramsOf({ params }: JsonObject): JsonObject {
  if (params === undefined) return {};
  if (isObject(params)) return params;
  throw new RpcError(400, 'params', '"params" must be an object');
}
