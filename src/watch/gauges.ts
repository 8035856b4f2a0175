import { Gauge, type Registry } from 'prom-client';
import type { GaugeSources } from './levels.ts';

/** Registers the gauges. Their values are read at each scrape. */
export function registerGauges(registry: Registry, { levels, states }: GaugeSources): void {
  registerLevels(registry, levels);
  registerPools(registry, levels);
  registerDatabases(registry, states);
  registerKeys(registry, levels);
}

function registerLevels(registry: Registry, levels: GaugeSources['levels']): void {
  const gauge = (name: string, help: string, level: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(level());
      },
    });
  gauge('gateway_workers', 'Processes that serve.', () => levels().workers);
  gauge('gateway_connections', 'Connections of clients that are open.', () => levels().connections);
  gauge('gateway_subscribers', 'Clients that wait for change notices (datastore_changes).', () => levels().subscribers);
  gauge(
    'gateway_incoming_bytes',
    'Bytes of request bodies that are held until their calls have been answered.',
    () => levels().incomingBytes,
  );
  gauge(
    'gateway_spool_bytes',
    'Bytes on disk that downloads have read and their clients have not taken.',
    () => levels().spoolBytes,
  );
  gauge('gateway_cache_entries', 'Entries of the cache: bodies, totals and requests.', () => levels().cache.entries);
  gauge('gateway_cache_bytes', 'Bytes of the cache entries.', () => levels().cache.bytes);
  gauge(
    'gateway_cache_max_bytes',
    'Limit of the bytes of the cache entries (cache.maxBytes).',
    () => levels().cache.maxBytes,
  );
}

function registerKeys(registry: Registry, levels: GaugeSources['levels']): void {
  new Gauge({
    name: 'gateway_auth_keys_age_seconds',
    help: 'Age of the keys of an issuer. Over 600 while people log in: they cannot be fetched. Over 3600: logins are a 503.',
    labelNames: ['issuer'],
    registers: [registry],
    // A process without logins fetches no keys, so the youngest keys count.
    aggregator: 'min',
    collect() {
      this.reset();
      for (const [issuer, seconds] of levels().keyAges) this.set({ issuer }, seconds);
    },
  });
}

function registerDatabases(registry: Registry, states: GaugeSources['states']): void {
  new Gauge({
    name: 'gateway_database_up',
    help: 'Whether a database responds: 1 or 0.',
    labelNames: ['database'],
    registers: [registry],
    // With several processes, a database is up if any of them can reach it.
    aggregator: 'max',
    async collect() {
      const stateOf = await states();
      this.reset();
      for (const [database, { up }] of Object.entries(stateOf)) this.set({ database }, up ? 1 : 0);
    },
  });
}

function registerPools(registry: Registry, levels: GaugeSources['levels']): void {
  const gauge = (name: string, help: string, level: 'max' | 'used' | 'idle' | 'waiting') =>
    new Gauge({
      name,
      help,
      labelNames: ['database', 'pool'],
      registers: [registry],
      collect() {
        this.reset();
        for (const it of levels().pools) this.set({ database: it.database, pool: it.pool }, it[level]);
      },
    });
  gauge('gateway_pool_max', 'Limit of connections to a database, by pool: calls or dumps.', 'max');
  gauge('gateway_pool_used', 'Connections to a database in use.', 'used');
  gauge('gateway_pool_idle', 'Open connections to a database that are not in use.', 'idle');
  gauge('gateway_pool_waiting', 'Calls that wait for a connection.', 'waiting');
}
