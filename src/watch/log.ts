import { isatty } from 'node:tty';
import { type DestinationStream, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import type { Emit, Event } from '../model/events.ts';
import { type Level, textLine, textOf } from './text.ts';

export interface LogSettings {
  readonly level: string;
  readonly requests: 'misses' | 'all' | 'none';
  /** `auto`: text at a terminal, else JSON. */
  readonly format: 'auto' | 'json' | 'text';
}

/**
 * Standard error, written in batches, a tenth of a second after the first line. A write costs more than the line. A slow reader
 * does not block the gateway; lines beyond the buffer are lost, and counted.
 */
const standardError = { fd: 2, sync: false, minLength: 16_000, maxLength: 4_000_000 };
const atMostLate = 100;
/** Milliseconds between two lines about a limit that an attack reaches thousands of times. */
const seldom = 60_000;

/**
 * Events as lines: JSON, or text for people. Never a token, never a value of a client.
 * @param worker the number of the process among several
 * @param to the destination; by default standard error
 */
export function log(settings: LogSettings, worker: number | null, to?: DestinationStream): Emit {
  const own = to === undefined ? new StandardError() : null;
  const logger = pino({ level: settings.level, base: worker === null ? null : { worker } }, own ?? to);
  const isTerminal = own !== null && isatty(standardError.fd);
  const isText = settings.format === 'text' || (settings.format === 'auto' && isTerminal);
  // Node itself respects NO_COLOR.
  const hasColors = isTerminal && process.stderr.hasColors();
  const write = (level: Level, text: string) =>
    (own ?? to)?.write(`${textLine(text, level, worker, new Date(), hasColors)}\n`);
  if (own !== null)
    countLost(own, (lines) => {
      if (isText) write('warn', `${lines} lines of the log were lost`);
      else logger.warn({ lines }, 'log lines lost');
    });
  let isDue = false;
  let warnedFull = Number.NEGATIVE_INFINITY;
  const flush = () => {
    isDue = false;
    own?.writeOut();
  };
  return (event) => {
    // The most frequent events, which are only counted.
    if (event.on === 'hit' || event.on === 'proved' || event.on === 'noticed') return;
    if (event.on === 'connections full') {
      if (performance.now() - warnedFull < seldom) return;
      warnedFull = performance.now();
    }
    const level = levelOf(event, settings.requests);
    if (level === null || !logger.isLevelEnabled(level) || own?.isGone === true) return;
    const members = shown(event);
    if (isText) write(level, textOf(event, typeof members.cause === 'string' ? members.cause : undefined));
    else logger[level](members, event.on);
    if (isDue) return;
    isDue = true;
    setTimeout(flush, atMostLate).unref();
  };
}

function levelOf(
  event: Exclude<Event, { on: 'hit' | 'proved' | 'noticed' }>,
  requests: LogSettings['requests'],
): Level | null {
  switch (event.on) {
    case 'answered':
      if (event.status >= 500) return 'error';
      return requests === 'none' || (requests === 'misses' && event.cache === 'hit') ? null : 'info';
    case 'forwarded':
      // The upstream has a log of its own.
      return event.status === 502 || event.status === 504 ? 'error' : requests === 'all' ? 'info' : 'debug';
    case 'queried':
      return 'debug';
    case 'configuration not taken over':
      return 'error';
    case 'connections full':
    case 'database lost':
    case 'log lost':
    case 'more visible':
    case 'not proved':
    case 'replica lost':
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
 * Buffered lines are written when the process ends, unless the reader is gone. (pino's own stream, of sonic-boom 4, would retry
 * for ever, and the process would not end.) A full disk may get room again: it is retried with the next lines.
 */
class StandardError extends sonicBoom.SonicBoom {
  isGone = false;
  /** Whether lines may remain that `flush` should have written. */
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
   * Writes the buffered lines. A flush does nothing while an earlier write is in progress. Later lines would stay until the
   * next log call, so the flush is repeated when that write has ended.
   */
  writeOut(): void {
    this.#isOverdue = true;
    this.#flush();
  }

  /** `flush` throws where the reader is gone. */
  #flush(): void {
    if (!this.isGone) this.flush();
  }
}

/** Reports the number of lost lines, as soon as there is room for the report. */
function countLost(stream: StandardError, tell: (lines: number) => void): void {
  let lines = 0;
  stream.on('drop', () => {
    lines += 1;
  });
  stream.on('drain', () => {
    if (lines > 0) tell(lines);
    lines = 0;
  });
}

/** Rounds milliseconds to a tenth, and removes client values from errors. */
function shown(event: Event): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(event)) {
    if (name === 'on') continue;
    else if (name === 'cause') members.cause = described(value, 'database' in event);
    else members[name] = typeof value === 'number' ? Math.round(value * 10) / 10 : value;
  }
  if (event.on === 'answered' && event.status === 500 && event.cause instanceof Error)
    members.stack = frames(event.cause);
  return members;
}

/**
 * The driver's code and message. Quoted parts may be a client's values and are left out. Errors of connecting keep them: no
 * call has been made yet.
 */
function described(cause: unknown, isOfConnecting: boolean): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const code: unknown = Reflect.get(cause, 'code');
  const words = isOfConnecting ? cause.message : unquoted(cause.message);
  const text = `${cause.name}${typeof code === 'string' ? ` ${code}` : ''}: ${words}`;
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/** From the first quotation mark to the last: a value may contain some itself. */
const unquoted = (text: string): string => text.replace(/(?<!\w)["'`](?:.*["'`]|.*)/s, '…');

/** The stack frames of an error, without its message. */
function frames({ stack = '' }: Error): readonly string[] {
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return lines.slice(0, 6).map((line) => line.trim());
}
