import { type DestinationStream, pino } from 'pino';
import type { Emit, Event } from './events.ts';

export interface LogSettings {
  readonly level: string;
  readonly requests: 'misses' | 'all' | 'none';
}

/**
 * Events as JSON lines on standard error. Never a token, never a value a client sent.
 * @param worker the number of the process among several
 */
export function log(
  settings: LogSettings,
  worker: number | null,
  to: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Emit {
  const logger = pino({ level: settings.level, base: worker === null ? null : { worker } }, to);
  return (event) => {
    // By far the most frequent, and nobody's business.
    if (event.on === 'hit') return;
    const level = levelOf(event, settings.requests);
    if (level === null || !logger.isLevelEnabled(level)) return;
    const { on, ...details } = event;
    logger[level](shown(details), on);
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

/** Milliseconds to a tenth, and of an error what may be shown. */
function shown(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members = Object.entries(details).map(([name, value]): [string, unknown] => {
    if (name === 'cause') return [name, described(value, details.database !== undefined)];
    return [name, typeof value === 'number' ? Math.round(value * 10) / 10 : value];
  });
  const stack = details.status === 500 && details.cause instanceof Error ? frames(details.cause) : undefined;
  return { ...Object.fromEntries(members), stack };
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
