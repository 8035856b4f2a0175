import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes that are read from a file at a time. */
const chunkBytes = 256 * 1024;

/** The usual size of a file. We also limit the number of files, because even a small file uses a file descriptor. */
export const spoolFileBytes = 8 * 1024 * 1024;

/** Some bytes of a download, in a file. */
export interface SpoolFile {
  /** The next bytes; null after the last. Throws the error of the disk. */
  read(): Promise<Uint8Array | null>;
  /** Deletes the file, and frees its room in the spool. Call it once. */
  close(): void;
}

/** What the spool tells and asks a download once a second. */
export interface SpoolUser {
  /** Whether reading from the database has stopped, because the client is behind and the spool is full. */
  readonly isBlocked: boolean;
  /** @param isFull whether any download is blocked */
  tick(isFull: boolean): void;
}

/** Temporary files, of limited total size, with what downloads have read from databases and clients have not taken yet. */
export class Spool {
  readonly #maxBytes: number;
  /** Limit of files at once, because many small files can use up file descriptors before `maxBytes` is reached. */
  readonly maxFiles: number;
  readonly #users = new Set<SpoolUser>();
  /** Ticks once a second while a download reads ahead. */
  #ticking: NodeJS.Timeout | undefined;
  #bytes = 0;
  #files = 0;
  #error: unknown = null;
  /** Set after a disk error: nothing is written until the next tick. */
  #isPaused = false;

  /** @param maxBytes the limit for all files together; 0 disables the spool */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.maxFiles = Math.ceil(maxBytes / spoolFileBytes);
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The error of the last write; null if it succeeded. */
  get error(): unknown {
    return this.#error;
  }

  enter(user: SpoolUser): void {
    this.#users.add(user);
    this.#ticking ??= setInterval(() => this.#tick(), 1000).unref();
  }

  leave(user: SpoolUser): void {
    this.#users.delete(user);
    if (this.#users.size > 0) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#isPaused = false;
  }

  #tick(): void {
    this.#isPaused = false;
    const users = [...this.#users];
    const isFull = users.some(({ isBlocked }) => isBlocked);
    for (const user of users) user.tick(isFull);
  }

  hasRoom(bytes: number): boolean {
    return !this.#isPaused && this.#bytes + bytes <= this.#maxBytes && this.#files < this.maxFiles;
  }

  /**
   * Writes pieces to a file below `TMPDIR`, and unlinks it at once: the system deletes it when the process ends, even after a crash.
   * @param bytes the length of all pieces together
   * @returns null if there is no room for them, in the spool or on the disk
   */
  async write(pieces: readonly Uint8Array[], bytes: number): Promise<SpoolFile | null> {
    if (!this.hasRoom(bytes)) return null;
    this.#bytes += bytes;
    this.#files++;
    const release = () => {
      this.#bytes -= bytes;
      this.#files--;
    };
    try {
      const file = await fileOf(pieces, bytes, release);
      this.#error = null;
      return file;
    } catch (error) {
      release();
      this.#error = error;
      this.#isPaused = true;
      return null;
    }
  }
}

async function fileOf(pieces: readonly Uint8Array[], bytes: number, release: () => void): Promise<SpoolFile> {
  const path = join(tmpdir(), `datastore-gateway-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  const close = () => void handle.close().catch(() => undefined);
  try {
    await unlink(path);
    const { bytesWritten } = await handle.writev(pieces, 0);
    if (bytesWritten < bytes) throw new Error('the disk is full');
  } catch (error) {
    close();
    throw error;
  }
  let at = 0;
  return {
    async read() {
      const length = Math.min(chunkBytes, bytes - at);
      if (length === 0) return null;
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw new Error('the file of a download has become shorter');
      at += bytesRead;
      return buffer.subarray(0, bytesRead);
    },
    close() {
      close();
      release();
    },
  };
}
