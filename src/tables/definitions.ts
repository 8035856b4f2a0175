import { setTimeout } from 'node:timers/promises';
import type { ResourceSettings } from '../config/assemble.ts';
import { readDefinition } from '../execute/catalog.ts';
import { InFlight } from '../values/in-flight.ts';
import { tableIn } from './exposure.ts';
import type { DatabaseSnapshot } from './served.ts';

/**
 * The pause between two queries for one table: a multiple of the time of one, and the most milliseconds. A query costs as little as a
 * small search, and calls wait for it.
 */
const pausePerQuery = 2;
const longestPause = 1000;

/**
 * The definitions of single tables, for calls that doubt the catalogue. Between two queries for one table there is a pause, so calls
 * that never succeed take little of the server's time.
 */
export class Definitions {
  /** Queries that have not begun: all calls until then share one. */
  readonly #waiting = new InFlight<string, { readonly answer: Promise<string | null> }>();
  /** By table: resolves when the next query may begin. */
  readonly #pauses = new Map<string, Promise<void>>();

  /** As `Gateway.isCurrent`, of a table as a snapshot has it. True where the snapshot has no tables, as there is nothing to compare. */
  async isCurrent(snapshot: DatabaseSnapshot | undefined, own: ResourceSettings, since: number): Promise<boolean> {
    if (snapshot?.catalog == null || snapshot.connected === null || snapshot.readAt > since) return true;
    const { database, dialect } = snapshot.connected;
    const table = { schema: own.schema, name: own.table };
    const definition = await this.read(JSON.stringify([snapshot.name, table]), () =>
      readDefinition(database, dialect, table),
    );
    return definition === (tableIn(own, snapshot)?.definition ?? null);
  }

  /** Asks for the definition of a table. The answer is from after this call. */
  async read(table: string, ask: () => Promise<string | null>): Promise<string | null> {
    const { answer } = await this.#waiting.share(table, async () => {
      await this.#pauses.get(table);
      const began = performance.now();
      const answer = ask();
      const pause = () => {
        const milliseconds = Math.min(longestPause, pausePerQuery * (performance.now() - began));
        return setTimeout(milliseconds, undefined, { ref: false });
      };
      this.#pauses.set(table, answer.then(pause, pause));
      return { answer };
    });
    return answer;
  }
}
