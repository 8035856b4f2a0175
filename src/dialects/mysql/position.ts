/** Binary log positions as increasing numbers, made of the file's number and the offset in it. */

/** An event stores its offset in four bytes. */
const offsetsPerFile = 2 ** 32;

/** A log file's name in two parts: `mysql-bin` and 42 for `mysql-bin.000042`. */
export interface LogFile {
  readonly base: string;
  readonly number: number;
}

export function logFile(name: string): LogFile | null {
  const [, base, number] = /^(.*)\.(\d+)$/s.exec(name) ?? [];
  return base === undefined || number === undefined ? null : { base, number: Number(number) };
}

/** @returns null if the file is unknown, or the position is not a safe integer */
export function positionAt(file: LogFile | null, offset: number): number | null {
  const position = file === null ? Number.NaN : file.number * offsetsPerFile + offset;
  return offset >= 0 && offset < offsetsPerFile && Number.isSafeInteger(position) ? position : null;
}

export const positionIn = (file: string | undefined, offset: string | undefined): number | null =>
  /^\d+$/.test(offset ?? '') ? positionAt(logFile(file ?? ''), Number(offset)) : null;
