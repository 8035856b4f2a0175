import { pino } from 'pino';
import type { Emit } from './events.ts';

export interface LogSettings {
  readonly level: string;
  readonly requests: 'misses' | 'all' | 'none';
}

/**
 * Events as JSON lines on standard error. Never a token, never a value a client sent.
 * @param worker the number of the process among several
 */
export function log(settings: LogSettings, worker: number | null): Emit {
  const logger = pino(
    { level: settings.level, base: worker === null ? null : { worker } },
    pino.destination({ dest: 2, sync: true }),
  );
  return (event) => {
    // The most frequent event by far, and mostly nobody's business.
    if (event.on === 'answered' && event.cache === 'hit' && settings.requests !== 'all' && event.status < 500) return;
    const { on, ...details } = event;
    switch (on) {
      case 'answered': {
        if (event.status >= 500) logger.error({ ...details, cause: describe(event.cause) }, on);
        else if (settings.requests !== 'none')
          logger.info({ ...details, cause: event.cause === undefined ? undefined : describe(event.cause) }, on);
        return;
      }
      case 'database lost':
        return logger.warn({ ...details, cause: describe(event.cause) }, on);
      case 'warned':
      case 'worker ended':
        return logger.warn(details, on);
      default:
        return logger.info(details, on);
    }
  };
}

/** The driver's code and words. Its words may quote a value, so they are kept short, and SQL is not among them. */
function describe(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const code: unknown = Reflect.get(cause, 'code');
  const text = `${cause.name}${typeof code === 'string' ? ` ${code}` : ''}: ${cause.message}`;
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
