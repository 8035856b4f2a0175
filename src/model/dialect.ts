import type { Outage, Server } from './catalog.ts';
import type { CatalogDialect } from './dialect/catalog.ts';
import type { ChangeDialect } from './dialect/change.ts';
import type { EditDialect } from './dialect/edit.ts';
import type { GroupDialect } from './dialect/group.ts';
import type { ReadDialect } from './dialect/read.ts';
import type { SessionDialect } from './dialect/session.ts';
import type { Answer } from './rows.ts';

/**
 * Everything that differs between engines, as pure functions and constants. Other code never asks which engine it talks to, and depends
 * only on the interfaces that it calls.
 */
export interface Dialect
  extends SessionDialect,
    ReadDialect,
    GroupDialect,
    EditDialect,
    CatalogDialect,
    ChangeDialect {}

/** A kind of engine: identifies a server and makes the dialect for it. */
export interface Family {
  readonly serverQuery: string;
  server(answer: Answer): Server;
  dialect(server: Server): Dialect;
  /** Reads from the driver's error why a connection failed or was lost. */
  outage(error: unknown): Outage;
}
