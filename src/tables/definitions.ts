import { setTimeout } from 'node:timers/promises';
import type { ResourceSettings } from '../config/assemble.ts';
import { readDefinition } from '../execute/catalog.ts';
import { InFlight } from '../values/in-flight.ts';
import { tableIn } from './exposure.ts';
import type { DatabaseSnapshot } from './served.ts';

/** The pause after a query for a table, as a multiple of that query's duration; at most `maxPauseMs`. */
const pausePerQuery = 2;
const maxPauseMs = 1000;

/**
 * Reads the definitions of single tables, for failed calls whose catalogue may be outdated. It pauses between two queries for one table, so
 * that calls that keep failing don't load the server.
 */
export class Definitions {
  /** Queries that have not been sent yet. All calls for one table share a query. */
  readonly #waiting = new InFlight<string, { readonly answer: Promise<string | null> }>();
  /** For each table: resolves when the next query may be sent. */
  readonly #pauses = new Map<string, Promise<void>>();

  /**
   * Whether a resource's table still has the definition that the snapshot has. True without a query if the snapshot was read after `since`
   * (by `performance.now()`), or if there is nothing to compare. Throws what the query throws.
   */
  async isCurrent(snapshot: DatabaseSnapshot | undefined, resource: ResourceSettings, since: number): Promise<boolean> {
    if (snapshot?.catalog == null || snapshot.connected === null || snapshot.readAt > since) return true;
    const { database, dialect } = snapshot.connected;
    const table = { schema: resource.schema, name: resource.table };
    const definition = await this.read(JSON.stringify([snapshot.name, table]), () =>
      readDefinition(database, dialect, table),
    );
    return definition === (tableIn(resource, snapshot)?.definition ?? null);
  }

  /** Reads a table's definition, with a query that is sent after this call. */
  async read(table: string, ask: () => Promise<string | null>): Promise<string | null> {
    const { answer } = await this.#waiting.share(table, async () => {
      await this.#pauses.get(table);
      const began = performance.now();
      const answer = ask();
      const pause = () => {
        const milliseconds = Math.min(maxPauseMs, pausePerQuery * (performance.now() - began));
        return setTimeout(milliseconds, undefined, { ref: false });
      };
      this.#pauses.set(table, answer.then(pause, pause));
      return { answer };
    });
    return answer;
  }
}
