/** Agents: both official clients of MCP, and the official tests of servers. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolsOf } from '../../src/actions/tools.ts';
import { names, resources, type Served, serveAll, token } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await serveAll({ mcp: { serve: 'auto' } });
});
afterAll(() => served?.stop());

const info = { name: 'test', version: '1' };
const headers = { Authorization: `Bearer ${token}` };
const address = () => new URL(`${served.url}/mcp`);

const connected = async (mode?: 'auto' | { readonly pin: string }) => {
  const client = new Client(info, mode === undefined ? {} : { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(address(), { requestInit: { headers } }));
  return client;
};
const connectedOlder = async () => {
  const client = new OlderClient(info);
  await client.connect(new OlderTransport(address(), { requestInit: { headers } }));
  return client;
};

interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}
const clients: readonly (readonly [name: string, connect: () => Promise<AnyClient>])[] = [
  ['the client, as it is', () => connected()],
  ['the client, for the newest version that the server has', () => connected('auto')],
  ['the client, for the newest version alone', () => connected({ pin: '2026-07-28' })],
  ['the client before it', connectedOlder],
];

describe.each(clients)('%s', (_, connect) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client?.close());

  test('lists the tools', async () => {
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(toolsOf(true).map(({ name }) => name));
  });

  test.each(names())('reads on %s', async (engine) => {
    const { open, closed } = resources(engine);
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    const said = (text: string) => ({
      content: [{ type: 'text', text: expect.stringContaining(text) }],
      isError: false,
    });
    expect(await call('list_resources', { q: engine })).toMatchObject(said(`"id":"${closed}"`));
    expect(await call('describe_resource', { resource_id: open })).toMatchObject(said('"label":"Stage"'));
    const args = { resource_id: closed, filters: { subject: 'watershed' }, fields: ['title', 'station no.'] };
    expect(await call('search_records', args)).toMatchObject(said('"station no.":9007199254740993'));
    expect(await call('search_records', { resource_id: open, sort: 'nothing' })).toMatchObject({ isError: true });
  });
});

/** The checks of a scenario that failed, by their ids. Throws if it has run none. */
function failedChecks(scenario: string, version: string): Promise<readonly string[]> {
  const root = resolve(import.meta.dirname, '../..');
  const hooks = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'no-glob-hooks.mjs')));
  const register = `import { register } from 'node:module'; register(${hooks});`;
  const main = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const about = ['--url', String(address()), '--scenario', scenario, '--spec-version', version];
  const options = ['--import', `data:text/javascript,${encodeURIComponent(register)}`];
  return new Promise((done, failed) => {
    execFile(process.execPath, [...options, main, 'server', ...about], { timeout: 60_000 }, (_, stdout, stderr) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
      const lines = stdout.replace(/\x1b\[\d*m/g, '').split('\n');
      if (!lines.some((line) => /^Passed: [1-9]/.test(line))) failed(new Error(`${stdout}${stderr}`));
      done(lines.flatMap((line) => /\[(\S+)\s*\] FAILURE/.exec(line)?.[1] ?? []));
    });
  });
}

test.each([
  ['server-initialize', '2025-06-18'],
  ['server-initialize', '2025-11-25'],
  ['ping', '2025-11-25'],
  ['tools-list', '2025-11-25'],
  ['tools-list', '2026-07-28'],
  ['dns-rebinding-protection', '2026-07-28'],
  ['http-header-validation', '2026-07-28'],
])('the official test %s of %s', async (scenario, version) => {
  expect(await failedChecks(scenario, version)).toEqual([]);
});

test('the official test of stateless servers fails only where it needs tools of its own', async () => {
  expect(await failedChecks('server-stateless', '2026-07-28')).toEqual([
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-server-no-log-without-loglevel',
  ]);
});
