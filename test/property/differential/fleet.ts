import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type Engine, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import { ddl, stored, type Table } from './table.ts';

export interface Answer {
  readonly engine: string;
  readonly status: number;
  readonly text: string;
  /** Details of a failure that the client does not see. */
  readonly cause: unknown;
}

/** The same tables on each engine, with a gateway for each. */
export interface Fleet {
  /** Sends the call to all gateways in parallel. */
  call(action: string, body: string): Promise<readonly Answer[]>;
  close(): Promise<void>;
}

interface Ship {
  readonly engine: string;
  readonly database: FreshDatabase;
  readonly gateway: TestGateway;
}

/** Creates the tables on every engine and starts the gateways. */
export async function openFleet(engines: readonly Engine[], tables: readonly Table[]): Promise<Fleet> {
  const launched = await Promise.allSettled(engines.map((engine) => launch(engine, tables)));
  const ships = launched.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const close = async () => {
    await Promise.all(ships.map(({ gateway }) => gateway.close()));
    await Promise.all(ships.map(({ database }) => database.drop()));
  };
  const failed = launched.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await close();
    throw failed.reason;
  }
  const call = (action: string, body: string) =>
    Promise.all(
      ships.map(async ({ engine, gateway }) => {
        const { status, text } = await gateway.call(action, body);
        return { engine, status, text, cause: status < 500 ? null : causeOf(gateway) };
      }),
    );
  return { call, close };
}

function causeOf({ events }: TestGateway): unknown {
  return events.findLast((event) => event.on === 'answered' && event.cause !== null);
}

async function launch(engine: Engine, tables: readonly Table[]): Promise<Ship> {
  const database = await freshDatabase(engine);
  try {
    const client = engine.client === 'mysql' ? 'mysql' : 'postgres';
    await database.exec(tables.map((table) => ddl(table, client)).join('\n'));
    const resources = tables.flatMap((table) => [
      [table.name, resource(table, client, true)],
      [`${table.name} guarded`, resource(table, client, false)],
    ]);
    // Long timeouts, so that a slow machine does not look like a disagreement.
    const patient = engine.client === 'pglite' ? {} : { pool: { acquireTimeout: '60s' }, statementTimeout: '60s' };
    const gateway = await startGateway({
      databases: { db: { ...entry(database), ...patient } },
      limits: { totalBudget: '60s' },
      resources: Object.fromEntries(resources),
    });
    return { engine: engine.name, database, gateway };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

function resource(table: Table, client: 'postgres' | 'mysql', deleteAll: boolean) {
  const columns = table.columns.map(({ name, kind }) => [
    stored(name),
    {
      ...(stored(name) === name ? {} : { as: name }),
      ...(client === 'mysql' && kind.is === 'boolean' ? { boolean: true } : {}),
    },
  ]);
  return {
    ...{ database: 'db', table: table.name, access: { read: 'token', write: 'token', deleteAll } },
    columns: Object.fromEntries(columns),
  };
}
