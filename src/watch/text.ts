/** The log lines as text, for a terminal. Pure. */

import type { Answered, Event } from '../model/events.ts';
import { printable } from '../values/printable.ts';

export type Level = 'debug' | 'info' | 'warn' | 'error';

/**
 * One event's log line: the time, the level unless it is `info`, and the text.
 * @param worker the worker's number; null for a single process
 */
export function textLine(text: string, level: Level, worker: number | null, time: Date, hasColors: boolean): string {
  const paint = (color: number, what: string) => (hasColors ? `\x1b[${color}m${what}\x1b[0m` : what);
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0'));
  const levelTexts = { debug: paint(90, 'debug'), info: '', warn: paint(33, 'WARNING'), error: paint(31, 'ERROR') };
  const from = worker === null ? '' : paint(90, `#${worker}`);
  return [paint(90, clock.join(':')), from, levelTexts[level], printable(text)].filter((part) => part !== '').join(' ');
}

/** Events that may be logged. The others are too frequent: the metrics count them. */
export type LoggedEvent = Exclude<
  Event,
  { on: 'hit' | 'proved' | 'noticed' | 'login checked' | 'upstream asked' | 'shadowed' }
>;

/** An event's text. @param cause its cause, without values from clients; undefined if it has none */
export function textOf(event: LoggedEvent, cause: string | undefined): string {
  const because = cause === undefined ? '' : `: ${cause}`;
  switch (event.on) {
    case 'started':
      return started(event);
    case 'reloaded':
      return reloaded(event);
    case 'configuration not taken over':
      return `did not take over the configuration: ${event.complaints.join('; ')}`;
    case 'draining':
      return `draining: running calls have ${seconds(event.milliseconds)}`;
    case 'stopped':
      return 'stopped';
    case 'worker started':
      return `worker ${event.worker} started as process ${event.pid}`;
    case 'worker ended':
      return `worker ${event.worker} ended (${event.why}), the next one starts in ${seconds(event.again)}`;
    case 'database reached':
      return `database ${event.database} reached: ${event.version}`;
    case 'database lost':
      return `database ${event.database} cannot be used: ${event.why}`;
    case 'replica reached':
      return `replica ${event.replica} of database ${event.database} answers reads`;
    case 'replica lost':
      return `replica ${event.replica} of database ${event.database} answers no reads: ${event.why}`;
    case 'not proved':
      return `database ${event.database} does not show its token, so it is asked instead of the cache${because}`;
    case 'proved again':
      return `database ${event.database} shows its token again`;
    case 'log opened':
      return `database ${event.database}: its log names the tables that others write`;
    case 'log closed':
      return logClosed(event);
    case 'queries rest':
      return `database ${event.database}: the tables that others write are not named for a minute, because the queries take more than a twentieth of a core; feed: required would ask them always`;
    case 'log lost':
      return `database ${event.database}: its log cannot be read, so writes of others make all its answers old${because}`;
    case 'keys lost':
      return `auth.jwt ${event.issuer}: its keys cannot be fetched; the last ones are used for an hour, then nobody can log in${because}`;
    case 'keys found':
      return `auth.jwt ${event.issuer}: its keys can be fetched again`;
    case 'shadow differs':
      return `resource ${event.resource} differs from the upstream: ${event.kind}${event.columns.length === 0 ? '' : ` of ${event.columns.join(', ')}`}`;
    case 'shadow failed':
      return `resource ${event.resource} could not be compared with the upstream${because}`;
    case 'more visible':
      return `since the reload, ${event.text}`;
    case 'warned':
      return event.text;
    case 'connections full':
      return `limits.connections is reached: ${event.closed === 'idle' ? 'the longest idle connection' : 'a new connection'} was closed`;
    case 'answered':
      return `${answered(event)}${because}`;
    case 'queried':
      return `${event.effect} ${event.resource} in ${event.database}: ${Math.round(event.queried)} ms, after ${Math.round(event.waited)} ms for a connection`;
    case 'forwarded':
      return `${event.status} passed on ${Math.round(event.milliseconds)} ms ${event.address}${because}`;
  }
}

function started({ address, admin, resources, workers }: Extract<Event, { on: 'started' }>): string {
  const withWorkers = workers > 1 ? ` with ${workers} workers` : '';
  return `serving ${count(resources, 'resource')} at ${address}${withWorkers}${admin === null ? '' : `, admin at ${admin}`}`;
}

function reloaded({ resources, needRestart }: Extract<Event, { on: 'reloaded' }>): string {
  const restartNote = needRestart.length === 0 ? '' : `; only a restart takes over ${needRestart.join(', ')}`;
  return `took over the configuration: ${count(resources, 'resource')}${restartNote}`;
}

function logClosed({ database, commits }: Extract<Event, { on: 'log closed' }>): string {
  return commits === null
    ? `database ${database}: its log is not read while nobody asks`
    : `database ${database}: its log is not read for a minute, because it has ${commits} commits per second; feed: required would read it always`;
}

function answered({ status, action, via, resource, milliseconds, cache, caller, address }: Answered): string {
  const words = [
    action,
    via === undefined ? null : `via ${via}`,
    resource,
    `${Math.round(milliseconds)} ms`,
    cache,
    caller,
    address,
  ];
  return `${status} ${words.filter((word) => word !== null).join(' ')}`;
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`;
