import { complaintLines, type Positions } from '../config/complaints.ts';
import { unencrypted } from '../config/encryption.ts';
import type { Emit } from '../model/events.ts';
import type { DatabaseSnapshot } from '../tables/served.ts';
import type { Gateway } from './gateway.ts';
import type { Configuration } from './opening.ts';
import { widened } from './widened.ts';

/** Emits events about a newly read database: whether it was reached, and what is wrong with its tables. */
export class SnapshotReports {
  readonly #emit: Emit;
  /** The reasons already logged for each database that was never reached. A set, because two reasons may alternate. */
  readonly #logged = new Map<string, Set<string>>();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Reports on a newly adopted configuration: first warnings about its settings, then its databases. */
  adopted({ settings, positions }: Configuration, snapshots: ReadonlyMap<string, DatabaseSnapshot>): void {
    for (const text of complaintLines(unencrypted(settings), positions)) this.#emit({ on: 'warned', text });
    this.report([...snapshots.values()], positions);
  }

  /** Warns about resources, columns and rights that a reload adds. */
  widened(before: Gateway, after: Gateway, positions: Positions): void {
    for (const text of complaintLines(widened(before, after), positions)) this.#emit({ on: 'more visible', text });
  }

  report(snapshots: readonly DatabaseSnapshot[], positions: Positions): void {
    for (const snapshot of snapshots) this.#report(snapshot, positions);
  }

  #report(snapshot: DatabaseSnapshot, positions: Positions): void {
    const { name, connected, connectError, complaints, warnings, denials } = snapshot;
    const logged = this.#logged.get(name) ?? new Set();
    if (connectError === null) this.#logged.delete(name);
    else if (!logged.has(connectError.why)) {
      this.#logged.set(name, logged.add(connectError.why));
      this.#emit({ on: 'database lost', database: name, ...connectError });
    }
    if (connected !== null)
      this.#emit({ on: 'database reached', database: name, version: connected.server.versionText });
    for (const text of complaintLines([...complaints, ...denials, ...warnings], positions))
      this.#emit({ on: 'warned', text });
  }
}
