import { type Spool, type SpoolFile, type SpoolUser, spoolFileBytes } from './spool.ts';

/** Bytes of one download that wait in memory. A client that keeps pace never lags by more. */
const maxMemoryBytes = spoolFileBytes;
/** Seconds over which the speed of a client is averaged. */
const averageSeconds = 10;

/** What a client must take while the spool is full. */
export interface LeastSpeed {
  readonly bytesPerSecond: number;
  /** Called when its client is slower, with the seconds over which the speed was averaged. */
  onTooSlow(seconds: number): void;
}

/**
 * The bytes of a download between its source and its client. The source is read at full speed, so no session, lock or snapshot of
 * a database lasts as long as a client takes. What a client has not taken waits in memory, then in the spool. Where that is full,
 * the source waits, and clients below the least speed are cut off.
 */
export class ReadAhead implements SpoolUser {
  readonly #spool: Spool;
  readonly #least: LeastSpeed;
  /** Older than all that is in memory. */
  readonly #files: SpoolFile[] = [];
  #memory: Uint8Array[] = [];
  #bytes = 0;
  #end: { readonly error: unknown } | 'whole' | null = null;
  #isClosed = false;
  isBlocked = false;
  /** Bytes that the client took in each of the last seconds, since it last had to wait for the source. */
  #bytesBySecond: number[] = [];
  #bytesThisSecond = 0;
  /** Resolves when memory has been written to the spool. */
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
   * Reads all of the source. Errors of the source are thrown by `pieces`.
   * @returns a promise that resolves when the source has ended, and no memory is held for a client that is late
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
    // A client that keeps pace takes the rest within a second.
    for (let isWritten = true; this.#bytes > 0 && !this.#isClosed; isWritten = await this.#spill()) {
      this.isBlocked = !isWritten;
      await new Promise<void>((resolve) => {
        this.#onTick = resolve;
      });
    }
    this.isBlocked = false;
  }

  /** The bytes in their order. Throws the error of the source as soon as that has failed, and the reason of `close`. */
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

  /** Drops what the client has not taken; `pieces` throws this reason. End the source, too. */
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
      // The client waits for the source, which says nothing about its speed.
      this.#bytesBySecond = [];
      await new Promise<void>((resolve) => {
        this.#onPiece = resolve;
      });
    }
  }

  /** Moves all that is in memory to the spool. Returns false where there is no room. */
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
