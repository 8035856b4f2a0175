/** The vocabulary of JSON-RPC 2.0, as MCP uses it. Pure. */
import type { LosslessNumber } from 'lossless-json';
import type { JsonObject } from './value.ts';

/** The id of a request, which its answer repeats digit for digit. */
export type RpcId = string | number | LosslessNumber;

export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  /** The parameters; empty if the request has none. */
  readonly params: JsonObject;
}

/** The codes of JSON-RPC and MCP. `refused` is for requests that never reach a method. */
export const rpcCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  refused: -32000,
  headerMismatch: -32020,
  version: -32022,
} as const;

/** An error that becomes the answer of a request. */
export class RpcError extends Error {
  /** The HTTP status. */
  readonly status: number;
  readonly code: number;
  readonly data: JsonObject | null;

  constructor(status: number, code: keyof typeof rpcCodes, message: string, data: JsonObject | null = null) {
    super(message);
    this.status = status;
    this.code = rpcCodes[code];
    this.data = data;
  }
}
