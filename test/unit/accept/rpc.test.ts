import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { readRpc } from '../../../src/accept/rpc.ts';
import { RpcError } from '../../../src/model/rpc.ts';

const depth = 5;
const read = (text: string | Buffer) => readRpc(Buffer.from(text), depth);
/** The HTTP status and the code of a refusal. */
const refusal = async (text: string | Buffer) => {
  const error = await read(text).then(
    () => 'taken',
    (error: unknown) => error,
  );
  return error instanceof RpcError ? [error.status, error.code] : error;
};
const request = (id: string, more = '') => `{"jsonrpc":"2.0","id":${id},"method":"ping"${more}}`;

test.each([
  ['1', 1],
  ['0', 0],
  ['-7', -7],
  ['"a"', 'a'],
  ['""', ''],
  ['6523449759000707328', new LosslessNumber('6523449759000707328')],
])('the id %s', async (written, id) => {
  expect(await read(request(written))).toEqual({ id, method: 'ping', params: {} });
});

test.each(['null', '1.5', '1e999', 'true', '[]', '{}'])('an id that is refused: %s', async (id) => {
  expect(await refusal(request(id))).toEqual([400, -32600]);
});

test.each([
  ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
  ['one with parameters', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'],
])('%s has no answer', async (_, text) => {
  expect(await read(text)).toBeNull();
});

test.each([
  ['nothing', '', -32700],
  ['half of an object', '{"jsonrpc":"2.0"', -32700],
  ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), -32700],
  ['a duplicate key', request('1', ',"method":"tools/list"'), -32700],
  ['nested too deep', request('1', `,"params":{"arguments":${'['.repeat(6)}${']'.repeat(6)}}`), -32700],
  ['a megabyte of brackets', '['.repeat(1_000_000), -32700],
  ['a batch', `[${request('1')}]`, -32600],
  ['an empty batch', '[]', -32600],
  ['a text', '"ping"', -32600],
  ['null', 'null', -32600],
  ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}', -32600],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
  ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":{}}', -32600],
  ['a method of the prototype', '{"__proto__":{"method":"ping"},"jsonrpc":"2.0","id":1}', -32600],
  ['parameters in a list', request('1', ',"params":[]'), -32602],
  ['parameters that are null', request('1', ',"params":null'), -32602],
])('%s is refused', async (_, text, code) => {
  expect(await refusal(text)).toEqual([400, code]);
});

test('arguments nest as deep as limits.depth, and numbers keep their digits', async () => {
  const deep = `${'{"a":'.repeat(depth)}1.50${'}'.repeat(depth)}`;
  const message = await read(request('1', `,"params":{"arguments":${deep}}`));
  expect(JSON.stringify(message?.params)).toContain('"value":"1.50"');
});

test('__proto__ is a name like any other', async () => {
  const message = await read(request('1', ',"params":{"__proto__":{"name":"x"}}'));
  expect(Object.keys(message?.params ?? {})).toEqual(['__proto__']);
  expect(message?.params.name).toBeUndefined();
});
