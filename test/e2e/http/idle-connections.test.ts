import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { raw, serve, text } from '../../support/http-server.ts';

/** Node raises its limit of open files to the hard limit. It applies to each process, so client and server have it separately. */
const hard = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()) || 1e6;
const count = Math.min(5000, hard - 500);

/** Opens idle connections: a third have sent nothing, a third have got a response, a third stopped in the middle of their headers. */
const idlers = `
  const { connect } = require('node:net');
  const [port, count] = process.argv.slice(1).map(Number);
  const request = 'GET /x HTTP/1.1\\r\\nHost: h\\r\\nAuthorization: token\\r\\n';
  const open = (i) => new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (i % 3 === 0) return done();
      socket.write(i % 3 === 1 ? request : request + '\\r\\n', () => i % 3 === 1 && done());
    });
    socket.on('data', done).on('error', () => process.exit(1));
  });
  (async () => {
    for (let i = 0; i < count; i += 100) await Promise.all(Array.from({ length: 100 }, (_, j) => open(i + j)));
    console.log('open');
    process.stdin.resume().on('end', () => process.exit(0));
  })();`;

test('thousands of idle connections cost little and delay no other', { timeout: 60_000 }, async () => {
  if (count < 5000) console.log(`${count} connections: this machine opens no more than ${hard} files`);
  const { server, port } = await serve(async () => text('"ok"'), { connections: count + 1 });
  const ask = () => raw(port, 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  for (let i = 0; i < 200; i++) await ask();
  const before = process.memoryUsage().rss;
  const child = spawn(process.execPath, ['-e', idlers, String(port), String(count)]);
  const [said] = await once(child.stdout, 'data');
  expect(String(said)).toBe('open\n');
  const each = (process.memoryUsage().rss - before) / count;
  expect(each).toBeLessThan(20_000);

  const since = performance.now();
  for (let i = 0; i < 50; i++) expect(await ask()).toContain('"ok"');
  expect((performance.now() - since) / 50).toBeLessThan(50);
  child.stdin.end();
  await once(child, 'close');
  await server.close(0);
});
