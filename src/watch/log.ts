import { type DestinationStream, type Logger, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import type { Emit, Event } from './events.ts';

export interface LogSettings {
  readonly level: string;
  readonly requests: 'misses' | 'all' | 'none';
}

/**
 * Standard error, written to many lines at a time, a tenth of a second after the first: a write costs more than the line. Who does
 * not read it holds nobody up; lines that find no room are lost, and counted.
 */
const standardError = { fd: 2, sync: false, minLength: 16_000, maxLength: 4_000_000 };
const atMostLate = 100;

/**
 * Events as JSON lines. Never a token, never a value a client sent.
 * @param worker the number of the process among several
 * @param to where other than to standard error
 */
export function log(settings: LogSettings, worker: number | null, to?: DestinationStream): Emit {
  const own = to === undefined ? new StandardError() : null;
  const logger = pino({ level: settings.level, base: worker === null ? null : { worker } }, own ?? to);
  if (own !== null) countLost(own, logger);
  let isDue = false;
  const flush = () => {
    isDue = false;
    own?.flush();
  };
  return (event) => {
    // By far the most frequent, and nobody's business.
    if (event.on === 'hit') return;
    const level = levelOf(event, settings.requests);
    if (level === null || !logger.isLevelEnabled(level) || own?.isGone === true) return;
    logger[level](shown(event), event.on);
    if (isDue) return;
    isDue = true;
    setTimeout(flush, atMostLate).unref();
  };
}

function levelOf(event: Exclude<Event, { on: 'hit' }>, requests: LogSettings['requests']) {
  switch (event.on) {
    case 'answered':
      if (event.status >= 500) return 'error';
      return requests === 'none' || (requests === 'misses' && event.cache === 'hit') ? null : 'info';
    case 'forwarded':
      // The application behind has a log of its own.
      return event.status === 502 || event.status === 504 ? 'error' : requests === 'all' ? 'info' : 'debug';
    case 'queried':
      return 'debug';
    case 'configuration not taken over':
      return 'error';
    case 'database lost':
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
 * What is left is written when the process ends. Whoever reads it may be gone: then nothing is. (pino's own stream, of sonic-boom 4,
 * would try again for ever, and the process would not end.) A disk that is full may have room again: it is tried with the next lines.
 */
class StandardError extends sonicBoom.SonicBoom {
  isGone = false;

  constructor() {
    super(standardError);
    this.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') return;
      this.isGone = true;
      this.destroy();
    });
    process.on('exit', () => {
      try {
        if (!this.isGone) this.flushSync();
      } catch {}
    });
  }
}

/** Tells how many lines were lost, as soon as there is room to tell it. */
function countLost(stream: StandardError, logger: Logger): void {
  let lines = 0;
  stream.on('drop', () => {
    lines += 1;
  });
  stream.on('drain', () => {
    if (lines > 0) logger.warn({ lines }, 'log lines lost');
    lines = 0;
  });
}

/** Milliseconds to a tenth, and of an error what may be shown. */
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
 * The driver's code and words. What stands in quotes may be a value that a client sent, so it is left out unless nobody
 * has called yet.
 */
function described(cause: unknown, isOfConnecting: boolean): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const code: unknown = Reflect.get(cause, 'code');
  const words = isOfConnecting ? cause.message : unquoted(cause.message);
  const text = `${cause.name}${typeof code === 'string' ? ` ${code}` : ''}: ${words}`;
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/** From the first quotation mark to the last: a value may hold some itself. */
const unquoted = (text: string): string => text.replace(/(?<!\w)["'`](?:.*["'`]|.*)/s, '…');

/** Where it happened: what is beside the message in `stack`. */
function frames({ stack = '' }: Error): readonly string[] {
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return lines.slice(0, 6).map((line) => line.trim());
}
