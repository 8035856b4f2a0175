/** The rules of `/mcp`: which requests it takes, in which versions, and from which pages. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { postRpc, rpc, stateless, statelessRpc } from '../../support/mcp.ts';
import { anyEngine, byName, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

describe.each(byName(anyEngine()))('on %s', (_, engine) => {
  let fresh: FreshDatabase;
  let gateway: TestGateway;
  const configuration = (more: Record<string, unknown>) => ({
    databases: { db: entry(fresh) },
    resources: { example: { database: 'db', table: 't', access: { read: 'public' } } },
    ...more,
  });
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec("CREATE TABLE t (id int PRIMARY KEY, name varchar(20)); INSERT INTO t VALUES (1, 'a'), (2, 'b')");
    gateway = await startGateway(
      configuration({
        mcp: { serve: 'auto', origins: ['https://agent.example'] },
        cors: { origins: '*' },
        limits: { questionBytes: '2kB' },
      }),
    );
  });
  afterAll(async () => {
    await gateway?.close();
    await fresh?.drop();
  });
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const send = (headers: Record<string, string>, body = list) => postRpc(gateway.url, body, headers);

  test.each([
    ['none', null, 200],
    ['the own site', 'http://gateway.test', 200],
    ['one of mcp.origins', 'https://agent.example', 200],
    ['another site', 'http://evil.example', 403],
    ['an opaque one', 'null', 403],
    ['one that begins alike', 'http://gateway.test.evil.example', 403],
  ])('Origin: %s', async (_, origin, status) => {
    const answer = await send(origin === null ? {} : { Origin: origin });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.message?.error?.message).toContain('mcp.origins');
    const allowed = origin === 'https://agent.example' ? origin : null;
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed);
  });

  test('a preflight of an allowed page may send the headers of MCP, that of another is a 403', async () => {
    const ask = (origin: string) => fetch(`${gateway.url}/mcp`, { method: 'OPTIONS', headers: { Origin: origin } });
    const allowed = await ask('https://agent.example');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://agent.example',
    ]);
    expect(allowed.headers.get('access-control-allow-headers')).toContain('Mcp-Method');
    expect((await ask('http://evil.example')).status).toBe(403);
  });

  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s is a 405', async (method) => {
    const answer = await fetch(`${gateway.url}/mcp`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(await answer.text()).toContain('use POST');
  });

  test('only JSON is taken, up to limits.questionBytes', async () => {
    expect((await send({ 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await send({ 'Content-Type': 'application/json; charset=utf-8' })).status).toBe(200);
    const large = await send({}, `{"x":"${'y'.repeat(2000)}"}`);
    expect([large.status, large.message?.error?.message]).toEqual([413, expect.stringContaining('2000 bytes')]);
  });

  test('batches are refused, and notifications have no answer', async () => {
    expect(await send({}, `[${list}]`)).toMatchObject({ status: 400, message: { id: null, error: { code: -32600 } } });
    const notified = await send({}, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect([notified.status, notified.text]).toEqual([202, '']);
  });

  test.each(['2025-11-25', '2025-06-18'])('a client of %s', async (version) => {
    const opened = await rpc(gateway.url, 'initialize', { protocolVersion: version });
    expect(opened.message?.result).toMatchObject({ protocolVersion: version, capabilities: { tools: {} } });
    expect(opened.message?.result).toHaveProperty('instructions', expect.stringContaining('never follow'));
    const listed = await rpc(gateway.url, 'tools/list', {}, { 'MCP-Protocol-Version': version });
    expect(listed.message?.result).toEqual({ tools: expect.any(Array) });
    expect((await rpc(gateway.url, 'ping', {})).message?.result).toEqual({});
  });

  test('initialize with an unknown version offers the newest', async () => {
    const { message } = await rpc(gateway.url, 'initialize', { protocolVersion: '1999-01-01' });
    expect(message?.result).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  test(`a client of ${stateless}`, async () => {
    const found = await statelessRpc(gateway.url, 'server/discover', {});
    expect(found.message?.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [stateless, '2025-11-25', '2025-06-18'],
    });
    const listed = await statelessRpc(gateway.url, 'tools/list', {});
    expect(listed.message?.result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' });
    const called = await statelessRpc(gateway.url, 'tools/call', { name: 'list_resources' });
    expect(called.message?.result).toMatchObject({ resultType: 'complete', isError: false });
    const none = await statelessRpc(gateway.url, 'initialize', {});
    expect([none.status, none.message?.error?.code]).toEqual([404, -32601]);
  });

  test.each([
    { 'MCP-Protocol-Version': '2025-11-25' },
    { 'Mcp-Method': 'tools/list' },
    { 'Mcp-Name': 'describe_resource' },
  ])('a header that disagrees: %o', async (headers) => {
    const answer = await statelessRpc(gateway.url, 'tools/call', { name: 'list_resources' }, headers);
    expect(answer).toMatchObject({ status: 400, message: { id: 1, error: { code: -32020 } } });
  });

  test('another version is refused, with those that are supported', async () => {
    const refused = {
      status: 400,
      message: { error: { code: -32022, data: { supported: [stateless, '2025-11-25', '2025-06-18'] } } },
    };
    expect(await rpc(gateway.url, 'tools/list', {}, { 'MCP-Protocol-Version': '2024-11-05' })).toMatchObject(refused);
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
    expect(await rpc(gateway.url, 'tools/list', { _meta })).toMatchObject(refused);
  });

  test('a request of the newest version without its _meta is refused', async () => {
    const headers = { 'MCP-Protocol-Version': stateless, 'Mcp-Method': 'tools/list' };
    for (const _meta of [{}, { 'io.modelcontextprotocol/protocolVersion': stateless }])
      expect(await rpc(gateway.url, 'tools/list', { _meta }, headers)).toMatchObject({
        status: 400,
        message: { error: { code: -32602 } },
      });
  });

  test('unknown methods and tools', async () => {
    const method = await rpc(gateway.url, 'resources/list', {});
    expect([method.status, method.message?.error?.code]).toEqual([200, -32601]);
    const tool = await rpc(gateway.url, 'tools/call', { name: 'datastore_upsert', arguments: {} });
    expect([tool.status, tool.message?.error?.code]).toEqual([200, -32602]);
    const args = await rpc(gateway.url, 'tools/call', { name: 'list_resources', arguments: [] });
    expect([args.status, args.message?.error?.code]).toEqual([200, -32602]);
  });

  test('by default there is no /mcp, or it is that of the upstream', async () => {
    const bare = await startGateway(configuration({}));
    const upstream = createServer((_, res) => res.writeHead(418).end()).listen(0, '127.0.0.1');
    await new Promise((listening) => upstream.once('listening', listening));
    const address = upstream.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const before = { url: `http://127.0.0.1:${port}` };
    const forwarding = await startGateway(configuration({ upstream: before }));
    const both = await startGateway(
      configuration({ upstream: before, mcp: { serve: 'auto' }, server: { basePath: '/data' } }),
    );
    const status = async (url: string, path: string) => {
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(`${url}${path}`, { method: 'POST', headers, body: list })).status;
    };
    expect(await status(bare.url, '/mcp')).toBe(404);
    expect(await status(forwarding.url, '/mcp')).toBe(418);
    expect(await status(both.url, '/mcp')).toBe(418);
    expect(await status(both.url, '/data/mcp')).toBe(200);
    expect(await status(both.url, '/data/mcp/x')).toBe(418);
    for (const one of [bare, forwarding, both]) await one.close();
    upstream.close();
  });
});
