import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../support/gateway.ts';
import { type FreshDatabase, freshDatabase } from '../support/servers/engines.ts';

/** A proxy that can be shut: it refuses new connections and cuts existing ones. */
class Door {
  readonly #to: URL;
  readonly #open = new Set<Socket>();
  #server: Server = createServer();
  port = 0;

  constructor(to: string) {
    this.#to = new URL(to);
  }

  async open(): Promise<void> {
    // While it was shut, another program may have taken the port for an outgoing connection.
    for (let attempt = 1; ; attempt++) {
      const error = await this.#listen().then(
        () => null,
        (error: unknown) => error,
      );
      if (error === null) return;
      if (attempt === 100 || Reflect.get(Object(error), 'code') !== 'EADDRINUSE') throw error;
      await sleep(100);
    }
  }

  async #listen(): Promise<void> {
    this.#server = createServer((socket) => {
      const inner = connect(Number(this.#to.port), this.#to.hostname);
      for (const end of [socket, inner]) {
        this.#open.add(end);
        end.on('error', () => undefined);
        end.on('close', () => this.#open.delete(end));
      }
      socket.pipe(inner).pipe(socket);
    });
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address !== null && typeof address === 'object') this.port = address.port;
  }

  async shut(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }
}

// Without PGlite, which runs in this process and so is always reachable.
describe.runIf(inject('engines').length > 0).each(inject('engines').map((engine) => [engine.name, engine] as const))(
  'on %s',
  (_, engine) => {
    let database: FreshDatabase;
    let door: Door;
    let gateway: TestGateway | undefined;
    beforeEach(async () => {
      database = await freshDatabase(engine);
      await database.exec('CREATE TABLE t (k int PRIMARY KEY, a int); INSERT INTO t VALUES (1, 1)');
      door = new Door(database.url ?? '');
      await door.open();
    });
    afterEach(async () => {
      await gateway?.close();
      await door?.shut().catch(() => undefined);
      await database?.drop();
    });
    const start = async () => {
      const url = new URL(database.url ?? '');
      url.hostname = '127.0.0.1';
      url.port = String(door.port);
      gateway = await startGateway({
        databases: {
          db: { ...entry(database), connection: url.href },
          gone: { ...entry(database), connection: url.href },
        },
        resources: {
          t: { database: 'db', table: 't', aliases: ['alias'], access: { read: 'token', write: 'token' } },
          locked: { database: 'gone', table: 't' },
        },
      });
      return gateway;
    };
    const calls = async (running: TestGateway) => {
      const records = [{ k: 1, a: 1 }];
      return Promise.all([
        running.call('datastore_search', { resource_id: 't' }),
        running.call('datastore_search', { resource_id: 'alias', filters: { nope: 1 } }),
        running.call('datastore_upsert', { resource_id: 't', records }),
        running.call('datastore_records_delete', { resource_id: 't', filters: { k: -1 } }),
      ]);
    };
    const away = { __type: 'Service Unavailable', message: expect.stringMatching(/cannot be reached, try again/) };
    const comesBack = async (running: TestGateway) => {
      for (let attempt = 0; attempt < 500; attempt++) {
        if ((await running.call('datastore_search', { resource_id: 't' })).status === 200) return;
        await sleep(20);
      }
      throw new Error('it has not come back in ten seconds');
    };
    const works = async (running: TestGateway) => {
      await comesBack(running);
      expect((await calls(running)).map(({ status }) => status)).toEqual([200, 409, 200, 200]);
    };

    test('a database that is away at the start does not end the start: 503, and it works once it is there', async () => {
      await door.shut();
      const running = await start();
      for (const { status, text, headers } of await calls(running)) {
        expect([status, JSON.parse(text).error]).toEqual([503, away]);
        expect(headers.get('retry-after')).toMatch(/^\d+$/);
        expect(text).not.toMatch(/ECONN|127\.0\.0\.1:|gw_/);
      }
      expect((await running.call('datastore_search', { resource_id: 'no such thing' })).status).toBe(404);
      expect(running.events.filter(({ on }) => on === 'database lost').length).toBeGreaterThan(0);
      await door.open();
      await works(running);
    });

    test('a database that goes away and comes back: 503 between, and nothing to restart', async () => {
      const running = await start();
      await works(running);
      await door.shut();
      for (const { status, text } of await calls(running))
        expect([status, JSON.parse(text).error]).toEqual([expect.toBeOneOf([409, 503]), expect.anything()]);
      for (const { status, text } of [await running.call('datastore_search', { resource_id: 't' })])
        expect([status, JSON.parse(text).error]).toEqual([503, away]);
      await door.open();
      await works(running);
    });
  },
);
