/** The address of the bus between several gateways. Pure. */
import type { Tls } from './engines.ts';

/** A Redis or Valkey server. */
export interface RedisServer {
  /** The server, or the sentinels that know which server it is. */
  readonly hosts: readonly RedisHost[];
  /** The name under which the sentinels know the server; null: there are none. */
  readonly sentinelName: string | null;
  readonly user: string | null;
  readonly password: string | null;
  /** The number of its database. */
  readonly database: number;
  readonly tls: Tls;
}

export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

/** `cache.bus: redis://…`. */
export interface RedisBus {
  readonly server: RedisServer;
  /** Part of every key: gateways of another group do not hear one another. */
  readonly group: string;
  /** Whether a write is refused that cannot be announced to the other gateways. */
  readonly required: boolean;
}
