import { type Spool, type SpoolFile, type SpoolUser, spoolFileBytes } from './spool.ts';

/** Limit of bytes of one download in memory; the rest goes to the spool. A client that keeps pace never needs that much. */
const maxMemoryBytes = spoolFileBytes;
/** Seconds over which the speed of a client is averaged. */
const averageSeconds = 10;

/** The speed that a client needs while the spool is full. */
export interface LeastSpeed {
  readonly bytesPerSecond: number;
  /** Called when the client is slower than that, with the number of seconds over which we averaged its speed. */
  onTooSlow(seconds: number): void;
}

/**
 * Buffers a download between the database and the client. The database is read at full speed, so that a slow client does not hold a
 * session, lock or snapshot. Bytes that the client has not taken wait in memory, then in the spool. When the spool is full, the
 * source waits, and clients below the least speed are cut off.
 */
export class ReadAhead implements SpoolUser {
  readonly #spool: Spool;
  readonly #least: LeastSpeed;
  /** The spooled bytes; they are older than those in memory. */
  readonly #files: SpoolFile[] = [];
  #memory: Uint8Array[] = [];
  #bytes = 0;
  #end: { readonly error: unknown } | 'whole' | null = null;
  #isClosed = false;
  isBlocked = false;
  /** Bytes that the client took in each of the last seconds, since it last had to wait for the source. */
  #bytesBySecond: number[] = [];
  #bytesThisSecond = 0;
  /** Set while the bytes in memory are being written to the spool. */
  #writing: Promise<unknown> | null = null;
  #onPiece: () => void = () => undefined;
  #onRead: () => void = () => undefined;
  #onTick: () => void = () => undefined;

  constructor(spool: Spool, least: LeastSpeed) {
    this.#spool = spool;
    this.#least = least;
    spool.enter(this);
  }

  /**
   * Reads the whole source. If the source fails, `pieces` throws its error.
   * @returns a promise that resolves when the source has ended, and the client has taken all bytes or the rest is in the spool
   */
  async fill(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const piece of source) {
        this.#memory.push(piece);
        this.#bytes += piece.length;
        this.#onPiece();
        while (this.#bytes > maxMemoryBytes && !this.#isClosed) if (!(await this.#spill())) await this.#room();
      }
      this.#end ??= 'whole';
    } catch (error) {
      this.close(error);
    }
    this.#onPiece();
    // A client that keeps pace takes the rest within a second, before it is written to the spool.
    for (let isWritten = true; this.#bytes > 0 && !this.#isClosed; isWritten = await this.#spill()) {
      this.isBlocked = !isWritten;
      await new Promise<void>((resolve) => {
        this.#onTick = resolve;
      });
    }
    this.isBlocked = false;
  }

  /** The bytes, in order. Throws the error of the source as soon as the source fails, or the reason given to `close`. */
  async *pieces(): AsyncGenerator<Uint8Array, void> {
    try {
      for (let piece = await this.#next(); piece !== null; piece = await this.#next()) {
        this.#bytesThisSecond += piece.length;
        yield piece;
      }
    } finally {
      this.close(new Error('the client takes no more'));
    }
  }

  /** Drops what the client has not taken; `pieces` then throws the reason. The caller has to end the source itself. */
  close(reason: unknown): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#end = { error: reason };
    this.#memory = [];
    this.#bytes = 0;
    for (const file of this.#files.splice(0)) file.close();
    this.#spool.leave(this);
    this.#onPiece();
    this.#onRead();
    this.#onTick();
  }

  tick(isFull: boolean): void {
    this.#bytesBySecond.push(this.#bytesThisSecond);
    this.#bytesThisSecond = 0;
    if (this.#bytesBySecond.length > averageSeconds) this.#bytesBySecond.shift();
    this.#onTick();
    if (!isFull || !(this.isBlocked || this.#files.length > 0) || this.#bytesBySecond.length < averageSeconds) return;
    const bytes = this.#bytesBySecond.reduce((sum, more) => sum + more, 0);
    if (bytes < averageSeconds * this.#least.bytesPerSecond) this.#least.onTooSlow(averageSeconds);
  }

  async #next(): Promise<Uint8Array | null> {
    for (;;) {
      if (this.#end !== null && this.#end !== 'whole') throw this.#end.error;
      const [file] = this.#files;
      if (file !== undefined) {
        const read = await file.read();
        if (read !== null) return read;
        if (this.#files.shift() !== undefined) file.close();
        this.#onRead();
        continue;
      }
      if (this.#writing !== null) {
        await this.#writing;
        continue;
      }
      const piece = this.#memory.shift();
      if (piece !== undefined) {
        this.#bytes -= piece.length;
        this.#onRead();
        return piece;
      }
      if (this.#end === 'whole') return null;
      // The client waits for the source. That time says nothing about the client's speed, so restart the measurement.
      this.#bytesBySecond = [];
      await new Promise<void>((resolve) => {
        this.#onPiece = resolve;
      });
    }
  }

  /** Moves all bytes from memory to the spool. Returns false if the spool has no room. */
  async #spill(): Promise<boolean> {
    const pieces = this.#memory;
    const bytes = this.#bytes;
    if (!this.#spool.hasRoom(bytes)) return false;
    this.#memory = [];
    this.#bytes = 0;
    const writing = this.#spool.write(pieces, bytes);
    this.#writing = writing;
    const file = await writing;
    this.#writing = null;
    if (this.#isClosed) file?.close();
    else if (file !== null) this.#files.push(file);
    else {
      this.#memory = pieces;
      this.#bytes = bytes;
    }
    return file !== null;
  }

  /** Resolves when the client has taken more, or a second has passed. */
  async #room(): Promise<void> {
    this.isBlocked = true;
    await new Promise<void>((resolve) => {
      this.#onRead = resolve;
      this.#onTick = resolve;
    });
    this.isBlocked = false;
  }
}
