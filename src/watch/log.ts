import { isatty } from 'node:tty';
import { type DestinationStream, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import type { Emit, Event } from '../model/events.ts';
import { type Level, type LoggedEvent, textLine, textOf } from './text.ts';

export interface LogSettings {
  readonly level: string;
  readonly requests: 'misses' | 'all' | 'none';
  /** `auto` means text at a terminal, else JSON. */
  readonly format: 'auto' | 'json' | 'text';
}

/**
 * Lines are written to standard error in batches, 100 ms after the first one, because a system call per line would be slow. A slow
 * reader does not block the gateway: when `maxLength` bytes are buffered, further lines are dropped and counted.
 */
const standardError = { fd: 2, sync: false, minLength: 16_000, maxLength: 4_000_000 };
const flushDelayMs = 100;
/** The minimum interval between two log lines for an event that may come with each call: `limits.connections`, and differences of one kind. */
const warningIntervalMs = 60_000;

/**
 * Writes events as lines of JSON or text. A line never contains a token, or a value from a client.
 * @param worker the worker's number; null for a single process
 * @param to the destination; by default standard error
 */
export function log(settings: LogSettings, worker: number | null, to?: DestinationStream): Emit {
  const standardErrorStream = to === undefined ? new StandardError() : null;
  const logger = pino({ level: settings.level, base: worker === null ? null : { worker } }, standardErrorStream ?? to);
  const isTerminal = standardErrorStream !== null && isatty(standardError.fd);
  const isText = settings.format === 'text' || (settings.format === 'auto' && isTerminal);
  // `hasColors` respects the variable NO_COLOR.
  const hasColors = isTerminal && process.stderr.hasColors();
  const write = (level: Level, text: string) =>
    (standardErrorStream ?? to)?.write(`${textLine(text, level, worker, new Date(), hasColors)}\n`);
  if (standardErrorStream !== null)
    countLost(standardErrorStream, (lines) => {
      if (isText) write('warn', `${lines} lines of the log were lost`);
      else logger.warn({ lines }, 'log lines lost');
    });
  let isFlushScheduled = false;
  const warnedAt = new Map<string, number>();
  const flush = () => {
    isFlushScheduled = false;
    standardErrorStream?.writeOut();
  };
  return (event) => {
    if (!isLogged(event)) return;
    const frequent = frequentName(event);
    if (frequent !== null) {
      if (performance.now() - (warnedAt.get(frequent) ?? Number.NEGATIVE_INFINITY) < warningIntervalMs) return;
      warnedAt.set(frequent, performance.now());
    }
    const level = levelOf(event, settings.requests);
    if (level === null || !logger.isLevelEnabled(level) || standardErrorStream?.isGone === true) return;
    const members = membersOf(event);
    if (isText) write(level, textOf(event, typeof members.cause === 'string' ? members.cause : undefined));
    else logger[level](members, event.on);
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    setTimeout(flush, flushDelayMs).unref();
  };
}

const isLogged = (event: Event): event is LoggedEvent =>
  event.on !== 'hit' &&
  event.on !== 'proved' &&
  event.on !== 'noticed' &&
  event.on !== 'login checked' &&
  event.on !== 'upstream asked' &&
  event.on !== 'shadowed';

/** A name for events that are logged only once in a while, the same for events that share a line; null for events that are always logged. */
function frequentName(event: LoggedEvent): string | null {
  if (event.on === 'connections full') return event.on;
  if (event.on === 'shadow failed') return `${event.on} ${event.resource}`;
  return event.on === 'shadow differs' ? `${event.on} ${event.resource} ${event.kind}` : null;
}

function levelOf(event: LoggedEvent, requests: LogSettings['requests']): Level | null {
  switch (event.on) {
    case 'answered':
      if (event.status >= 500) return 'error';
      return requests === 'none' || (requests === 'misses' && event.cache === 'hit') ? null : 'info';
    case 'forwarded':
      // Forwarded requests are in the upstream's own log.
      return event.status === 502 || event.status === 504 ? 'error' : requests === 'all' ? 'info' : 'debug';
    case 'queried':
      return 'debug';
    case 'configuration not taken over':
      return 'error';
    case 'connections full':
    case 'database lost':
    case 'keys lost':
    case 'log lost':
    case 'more visible':
    case 'not proved':
    case 'replica lost':
    case 'shadow differs':
    case 'shadow failed':
    case 'warned':
    case 'worker ended':
      return 'warn';
    case 'reloaded':
      return event.needRestart.length > 0 ? 'warn' : 'info';
    default:
      return 'info';
  }
}

/**
 * Buffers standard error, and flushes it when the process ends, unless the reader has closed the pipe. (pino's own stream would then retry
 * forever, and the process would not end.) If the disk is full, lines stay buffered until the next write.
 */
class StandardError extends sonicBoom.SonicBoom {
  isGone = false;
  /** Whether lines may be left in the buffer, because `flush` was called while a write was in progress. */
  #isOverdue = false;

  constructor() {
    super(standardError);
    this.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') return;
      this.isGone = true;
      this.destroy();
    });
    this.on('drain', () => {
      if (!this.#isOverdue) return;
      this.#isOverdue = false;
      this.#flush();
    });
    process.on('exit', () => {
      try {
        if (!this.isGone) this.flushSync();
      } catch {}
    });
  }

  /**
   * Writes the buffered lines. While an earlier write is in progress, `flush` does nothing, and newer lines would stay in the
   * buffer until the next log call. So the flush is repeated when that write has ended.
   */
  writeOut(): void {
    this.#isOverdue = true;
    this.#flush();
  }

  /** Flushes, unless the reader has closed the pipe, in which case `flush` would throw. */
  #flush(): void {
    if (!this.isGone) this.flush();
  }
}

/** Reports the number of dropped lines as soon as the buffer has room again. */
function countLost(stream: StandardError, report: (lines: number) => void): void {
  let lines = 0;
  stream.on('drop', () => {
    lines += 1;
  });
  stream.on('drain', () => {
    if (lines > 0) report(lines);
    lines = 0;
  });
}

/** A JSON log line's members: numbers rounded to a tenth, errors without values from clients. */
function membersOf(event: Event): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(event)) {
    if (name === 'on') continue;
    else if (name === 'cause') members.cause = described(value, 'database' in event || event.on === 'keys lost');
    else members[name] = typeof value === 'number' ? Math.round(value * 10) / 10 : value;
  }
  if (event.on === 'answered' && event.status === 500 && event.cause instanceof Error)
    members.stack = frames(event.cause);
  return members;
}

/**
 * An error's code and message. Quoted parts are removed, because they may be values from a client. Errors while connecting to a database or
 * an issuer keep them, because those cannot quote a client.
 */
function described(cause: unknown, isOfConnecting: boolean): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const code: unknown = Reflect.get(cause, 'code');
  const words = isOfConnecting ? cause.message : unquoted(cause.message);
  const text = `${cause.name}${typeof code === 'string' ? ` ${code}` : ''}: ${words}`;
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/** Removes everything from the first quotation mark to the last, because a quoted value may itself contain quotation marks. */
const unquoted = (text: string): string => text.replace(/(?<!\w)["'`](?:.*["'`]|.*)/s, '…');

/** An error's stack frames, without its message. */
function frames({ stack = '' }: Error): readonly string[] {
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return lines.slice(0, 6).map((line) => line.trim());
}
