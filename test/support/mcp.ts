import type { Json } from '../../src/model/value.ts';

/** An answer of `/mcp`. */
export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null if there is no body. */
  readonly message: RpcMessage | null;
}

interface RpcMessage {
  readonly id: Json;
  readonly result?: Record<string, Json> & {
    readonly content?: readonly { readonly text: string }[];
    isError?: boolean;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, Json> };
}

/** Posts a text to `/mcp`, as JSON unless the headers say otherwise. */
export async function postRpc(url: string, body: string, headers: Record<string, string> = {}): Promise<RpcAnswer> {
  const sent = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers };
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers: sent, body });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, message: text === '' ? null : JSON.parse(text) };
}

/** Sends a request, as clients of 2025 do. */
export const rpc = (url: string, method: string, params: unknown, headers: Record<string, string> = {}) =>
  postRpc(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);

/** The version of the clients that say in each request what they speak. */
export const stateless = '2026-07-28';

/** Sends a request, as clients of 2026 do. @param other headers instead of the right ones */
export function statelessRpc(
  url: string,
  method: string,
  params: Record<string, unknown>,
  other: Record<string, string> = {},
): Promise<RpcAnswer> {
  const prefix = 'io.modelcontextprotocol/';
  const _meta = { [`${prefix}protocolVersion`]: stateless, [`${prefix}clientCapabilities`]: {} };
  const name = typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {};
  return rpc(
    url,
    method,
    { ...params, _meta },
    { 'MCP-Protocol-Version': stateless, 'Mcp-Method': method, ...name, ...other },
  );
}

/** What a tool answered: the text for the model. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool. @param token null to send none. @throws unless there is a result */
export async function callTool(
  url: string,
  name: string,
  args: unknown,
  token: string | null = null,
): Promise<ToolAnswer> {
  const headers: Record<string, string> = token === null ? {} : { Authorization: token };
  const { message, text } = await rpc(url, 'tools/call', { name, arguments: args }, headers);
  const content = message?.result?.content?.[0];
  if (content === undefined) throw new Error(text);
  return { text: content.text, isError: message?.result?.isError === true };
}
