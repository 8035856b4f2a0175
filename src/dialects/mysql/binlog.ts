/** Reads from the binary log of MySQL and MariaDB which tables each transaction has changed, and nothing else. */
import type { Relation } from '../../model/catalog.ts';
import type { BinlogReader, LogListener } from '../../model/feed.ts';
import * as events from './binlog-events.ts';
import { type LogFile, logFile, positionAt } from './position.ts';

const { event } = events;

/** The transaction, or single statement, whose events are being read. */
interface Group {
  readonly id: string | null;
  /** Whether the group ends with another event. If not, it is a single statement. */
  isOpen: boolean;
  /** The changed tables by `tableKey`; null if any table may have changed. */
  tables: Map<string, Relation> | null;
}

/** A transaction with more tables counts as a change of all tables. */
const maxTables = 1000;

/** Where the stream begins. */
export interface Begin {
  /** Null if the stream begins by GTIDs: then its first event names the file. */
  readonly file: LogFile | null;
  readonly offset: number;
  readonly start: number;
  /** Whether events end with a checksum. The first event of a file overrides this. */
  readonly hasChecksums: boolean;
}

export class Binlog implements BinlogReader {
  readonly #committed: LogListener['committed'];
  #file: LogFile | null;
  #offset: number;
  #position: number;
  #hasChecksums: boolean;
  #group: Group | null = null;

  constructor({ file, offset, start, hasChecksums }: Begin, committed: LogListener['committed']) {
    this.#committed = committed;
    this.#file = file;
    this.#offset = offset;
    this.#position = start;
    this.#hasChecksums = hasChecksums;
  }

  get position(): number {
    return this.#position;
  }

  read(bytes: Uint8Array): void {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { type, size, next, flags } = events.header(all);
    const isFirst = type === event.formatDescription;
    const end = isFirst || !this.#hasChecksums || all.length < size ? all.length : size - checksumLength;
    const body = all.subarray(events.headerLength, end);
    if (type === event.heartbeat) this.#takeHeartbeat(body, next);
    // An event that the server made up for the stream (`artificial`) has no position in the log.
    else if (type !== event.rotate && next > 0 && (flags & events.artificial) === 0) this.#advance(next, isFirst);
    this.#take(type, body, (flags & events.ignorable) !== 0);
    if (this.#group === null) this.#position = this.#currentPosition();
  }

  #take(type: number, body: Buffer, isIgnorable: boolean): void {
    if (type === event.tableMap) this.#addTable(events.tableKey(body));
    else if (type === event.gtid) this.#openGroup(events.gtid(body), false);
    // A tagged GTID has another format, which we don't decode: its transaction has no id.
    else if (type === event.anonymousGtid || type === event.taggedGtid) this.#openGroup(null, false);
    else if (type === event.mariadbGtid) this.#openGroup(null, (body.readUInt8(12) & standalone) === 0);
    else if (type === event.query) this.#takeStatement(events.statementOf(body));
    else if (type === event.compressedQuery && this.#group?.isOpen !== true) this.#endGroup(null);
    else if (type === event.xid) this.#endGroup();
    // A prepared XA transaction changes its rows only at XA COMMIT, which names no tables.
    else if (type === event.xaPrepare) this.#endGroup(events.isCommitted(body) ? undefined : new Map());
    // A compressed transaction, or an incident (the server has lost events): any table may have changed, and no other event ends it.
    else if (type === event.transactionPayload || type === event.incident) this.#endGroup(null);
    else if (type === event.rotate) this.#rotate(body);
    else if (type === event.formatDescription) this.#beginFile(body);
    else if (!events.harmless.has(type) && !isIgnorable) this.#takeUnknown();
  }

  /** Handles statements: DDL, writes that are logged as statements, and those that begin or end a transaction. */
  #takeStatement(text: string): void {
    if (text === 'BEGIN' || xaStart.test(text)) {
      this.#group ??= { id: null, isOpen: true, tables: new Map() };
      this.#group.isOpen = true;
    }
    // The server only logs a ROLLBACK if the transaction wrote to non-transactional tables, which keep those changes.
    else if (text === 'COMMIT' || text === 'ROLLBACK') this.#endGroup();
    else if (xaDone.test(text)) this.#endGroup(xaOnePhase.test(text) ? undefined : null);
    else if (savepoint.test(text) || xaEnd.test(text)) return;
    else if (this.#group?.isOpen === true) this.#group.tables = null;
    else this.#endGroup(null);
  }

  #openGroup(id: string | null, isOpen: boolean): void {
    if (this.#group !== null) this.#endGroup(null);
    this.#group = { id, isOpen, tables: new Map() };
  }

  #addTable(key: string): void {
    const group = this.#group;
    if (group === null) this.#endGroup(null);
    else if (group.tables?.has(key) === false) {
      if (group.tables.size < maxTables) group.tables.set(key, events.relation(key));
      else group.tables = null;
    }
  }

  #endGroup(tables: Group['tables'] = this.#group === null ? null : this.#group.tables): void {
    const id = this.#group?.id ?? null;
    this.#group = null;
    this.#deliver(id, tables);
  }

  #deliver(id: string | null, tables: Group['tables']): void {
    this.#committed({ id, tables: tables === null ? null : [...tables.values()], end: this.#currentPosition() });
  }

  /** Handles an event of unknown type: it may change any table, and may end its transaction. */
  #takeUnknown(): void {
    if (this.#group?.tables === null) return;
    this.#deliver(this.#group?.id ?? null, null);
    if (this.#group !== null) this.#group.tables = null;
  }

  #beginFile(body: Buffer): void {
    // A server that was killed leaves its last transaction without an end event.
    if (this.#group !== null) this.#endGroup(null);
    this.#hasChecksums = body.readUInt8(body.length - checksumLength - 1) === 1;
  }

  #rotate(body: Buffer): void {
    const file = logFile(body.toString('utf8', 8));
    const before = this.#file;
    if (file === null || (before !== null && (file.base !== before.base || file.number < before.number)))
      throw new RangeError('the log goes on under another name');
    this.#file = file;
    this.#offset = Number(body.readBigUInt64LE(0));
  }

  /** @param isFirst whether it is the first event of a file, which is also sent when a stream begins later in the file */
  #advance(offset: number, isFirst: boolean): void {
    if (offset >= this.#offset) this.#offset = offset;
    else if (!isFirst) throw new RangeError('a file of the log is larger than 4 GB');
  }

  /** Handles the heartbeat of an idle server, which carries the current position. */
  #takeHeartbeat(body: Buffer, offset: number): void {
    const file = logFile(body.toString('utf8'));
    if (file?.number === this.#file?.number) this.#offset = Math.max(this.#offset, offset);
  }

  #currentPosition(): number {
    if (this.#file === null) return this.#position;
    const position = positionAt(this.#file, this.#offset);
    if (position === null) throw new RangeError('the position in the log is too large');
    // A stream requested by GTIDs may start in an earlier file, but the reported position must not go back.
    return Math.max(this.#position, position);
  }
}

const checksumLength = 4;
/** MariaDB's flag for a transaction of a single statement, which no other event ends. */
const standalone = 1;

const name = '`(?:[^`]|``)*`';
const savepoint = new RegExp(`^(?:SAVEPOINT|ROLLBACK TO|RELEASE SAVEPOINT) ${name}$`, 'i');
const xid = `x'[0-9a-f]*',x'[0-9a-f]*',-?\\d+`;
const xaStart = new RegExp(`^XA START ${xid}$`, 'i');
const xaEnd = new RegExp(`^XA END ${xid}$`, 'i');
const xaDone = new RegExp(`^XA (COMMIT|ROLLBACK) ${xid}( ONE PHASE)?$`, 'i');
const xaOnePhase = / ONE PHASE$/i;
