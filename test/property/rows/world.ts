/** A table that several tenants share, and its twin with the rows of one of them. Callers of both ask the same. */
import { createHash } from 'node:crypto';
import { Agent, get } from 'node:http';
import { entry, startGateway } from '../../support/gateway.ts';
import { type Engine, freshDatabase } from '../../support/servers/engines.ts';
import type { Call } from './calls.ts';
import { columns, type Row } from './lines.ts';
import { lines } from './selects.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hidden = { tenant: { hidden: true } };

/** Who asks: `inside` by the row filter, `twin` without one. */
export type Side = 'inside' | 'twin';
export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface World {
  readonly engine: string;
  /** Sends a call, and returns its answer without what names the resource or is random. */
  ask(side: Side, call: Call): Promise<Answer>;
  /** Sends a call as it is, and returns the whole answer. */
  send(side: Side, call: Call): Promise<Answer>;
  /** Changes rows outside: by a caller without a filter, on the shared table. */
  change(call: Call): Promise<void>;
  /** The rows of the shared table that are inside or outside, or those of the twin, as stored. */
  stored(which: Side | 'outside'): Promise<string>;
  /** Empties both tables, and puts the same rows into them; those outside only into the shared one. */
  fill(inside: readonly Row[], outside: readonly Row[]): Promise<void>;
  close(): Promise<void>;
}

/** The resources of each side. They differ in their letters only: all have the same length and title. */
const resourceOf = { inside: 'lines-shared', twin: 'lines-twin-s' } as const;
const everything = 'everything';

export async function openWorld(engine: Engine): Promise<World> {
  const isMysql = engine.client === 'mysql';
  const database = await freshDatabase(engine);
  try {
    for (const table of ['shared', 'twin_s'])
      await database.exec(`CREATE TABLE ${table} (id int PRIMARY KEY, tenant int, region varchar(20), name varchar(60), note varchar(200), n int,
        price decimal(8,2), day date, code varchar(40) UNIQUE ${isMysql ? `, FULLTEXT (name, note)` : ''})`);
    const search = { columns: ['name', 'note'] };
    const words = { mode: 'native', columns: ['name', 'note'] };
    // An embedded database takes no SQL: there a SELECT is a 403 on both sides.
    const access = { read: 'token', write: 'token', deleteAll: true, sql: engine.client !== 'pglite' };
    const common = { database: 'db', access, title: 'Lines', columns: hidden };
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration has this syntax, too
    const inside = { ...common, table: 'shared', where: { tenant: '${claim.tenant}' } };
    const twin = { ...common, table: 'twin_s' };
    const patient = engine.client === 'pglite' ? {} : { pool: { acquireTimeout: '60s' }, statementTimeout: '60s' };
    const gateway = await startGateway({
      databases: { db: { ...entry(database), ...patient } },
      // A slow machine must not show samples and estimates.
      limits: { totalBudget: '60s', aggregateBudget: '60s' },
      resources: {
        [resourceOf.inside]: { ...inside, search },
        [resourceOf.twin]: { ...twin, search },
        [`${resourceOf.inside}-words`]: { ...inside, search: words },
        [`${resourceOf.twin}-words`]: { ...twin, search: words },
        [everything]: { database: 'db', table: 'shared', access },
        both: { database: 'db', table: 'twin_s', access },
      },
      tokens: [
        { name: 'caller', sha256: sha256('inside'), read: ['*'], write: ['*'], claims: { tenant: 7 } },
        { name: 'caller-of-twin', sha256: sha256('twin'), read: ['*'], write: ['*'] },
      ],
    });
    const agent = new Agent({ keepAlive: true });
    const download = (side: Side, resource: string, params: object) =>
      new Promise<Answer>((resolve, reject) => {
        const query = new URLSearchParams(
          Object.entries(params).map(([name, value]): [string, string] => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        );
        const url = `${gateway.url}/datastore/dump/${resource}?${query}`;
        get(url, { agent, headers: { Authorization: side } }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, text: `${answer.complete} ${Buffer.concat(chunks)}` }),
          );
        }).on('error', reject);
      });
    const send = async (side: Side, { action, params, words }: Call): Promise<Answer> => {
      const resource = `${resourceOf[side]}${words ? '-words' : ''}`;
      if (action === 'datastore_dump') return download(side, resource, params);
      const { sql, ...others } = params;
      const named =
        sql === undefined ? { resource_id: resource } : { sql: String(sql).replaceAll(lines, resourceOf[side]) };
      const { status, text } = await gateway.call(action, { ...named, ...others }, side);
      return { status, text };
    };
    const change = async ({ action, params }: Call, resource_id = everything) => {
      const { status, text } = await gateway.call(action, { resource_id, ...params }, 'twin');
      if (status !== 200) throw new Error(`${action} ${JSON.stringify(params)}: ${status} ${text}`);
    };
    return {
      engine: engine.name,
      send,
      change,
      ask: async (side, call) => comparable(side, await send(side, call)),
      async stored(which) {
        const { text } = await gateway.call(
          'datastore_search',
          {
            resource_id: which === 'twin' ? 'both' : everything,
            ...(which === 'inside' ? { filters: { tenant: 7 } } : {}),
            ...(which === 'outside' ? { filters: { tenant: { ne: 7 } } } : {}),
            ...{ limit: 1000, sort: 'id', records_format: 'csv' },
            fields: [...columns.map(({ name }) => name), ...(which === 'outside' ? ['tenant'] : [])],
          },
          'twin',
        );
        return String(JSON.parse(text).result.records);
      },
      async fill(inside, outside) {
        for (const [resource, records] of [
          [everything, [...inside.map((row) => ({ ...row, tenant: 7 })), ...outside]],
          ['both', inside],
        ] as const) {
          await change({ action: 'datastore_records_delete', params: { filters: {} } }, resource);
          await change({ action: 'datastore_upsert', params: { method: 'insert', records } }, resource);
        }
      },
      async close() {
        agent.destroy();
        await gateway.close();
        await database.drop();
      },
    };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

/** What differs between the sides for good reason: the names of the resource and of indexes, random bytes of a cursor, and the sizes that a filter hides. */
function comparable(side: Side, { status, text }: Answer): Answer {
  return {
    status,
    text: text
      .replaceAll(resourceOf[side], 'LINES')
      .replace(/"index_name":"(?:shared|twin_s)_/g, '"index_name":"')
      .replace(/"after":"[^"]*"/g, '"after":"CURSOR"')
      .replace(/"(size|idx_size|db_size)":(?:\d+|null)/g, '"$1":"SIZE"'),
  };
}
