import type { Configuration } from '../app/opening.ts';
import { cluster } from '../cache/buses/cluster.ts';
import type { FromHub } from '../cache/buses/hub.ts';
import type { ChangedTables, ChangeFeed } from '../changes/log/names.ts';
import { type PreparedConfiguration, type Serving, serve } from '../commands/serve.ts';
import { afterReload } from '../config/restart.ts';
import { shareOf } from '../config/share.ts';
import type { Texts } from '../config/texts.ts';
import type { Emit } from '../model/events.ts';
import { log } from '../watch/log.ts';
import type { FromWorker, Orders, ToWorker } from './messages.ts';

/** The channel between a worker and the primary. It keeps messages in order, in both directions. */
export interface Channel {
  send(message: FromWorker): void;
  listen(onMessage: (message: ToWorker) => void): void;
  /** Ends this process at the primary's request. */
  stop(): void;
}
type Opened = Serving | { readonly complaints: readonly string[] };

/**
 * Serves as one of several workers, directed by the primary.
 * @param load reads the configuration from texts that the primary has validated
 * @returns what `serve` returns, once the primary has sent `start`
 */
export function work(load: (texts: Texts) => Configuration, channel: Channel): Promise<Opened> {
  return new Promise((resolve) => {
    let onBusMessage = (_: FromHub): void => undefined;
    let serving: Promise<Opened> = Promise.reject(new Error('not started'));
    let share = (configuration: Configuration): Configuration => configuration;
    let ready: PreparedConfiguration | null = null;
    let newer: Texts | null = null;
    const names = namesOfPrimary(channel.send);
    serving.catch(() => undefined);

    const start = async ({ texts, first, number, workers, secret, isLenient }: Orders): Promise<Opened> => {
      const own = load(texts);
      const begun = first === null ? own.settings : load(first).settings;
      // Only the primary opens the admin port.
      share = ({ settings, positions }) => ({
        settings: { ...shareOf(afterReload(begun, settings), workers), admin: null },
        positions,
      });
      const configuration = share(own);
      const emit = withoutRepeats(log(configuration.settings.log, number), number);
      const bus = cluster({
        send: channel.send,
        listen: (listener) => {
          onBusMessage = listener;
        },
      });
      const started = await serve({
        ...configuration,
        ...{ emit, bus, secret, isLenient },
        newer: () => (newer === null ? null : share(load(newer))),
        names: () => names,
      });
      if (!('complaints' in started)) channel.send({ did: 'serve', port: started.port });
      return started;
    };
    const prepare = async (texts: Texts): Promise<readonly string[]> => {
      const started = await serving;
      if ('complaints' in started) return started.complaints;
      const prepared = await started.prepare(share(load(texts)));
      if ('complaints' in prepared) return prepared.complaints;
      ready = prepared;
      return [];
    };
    /** Replies once this worker serves: the primary may ask earlier, as soon as the worker has joined the bus. */
    const whenServing = async (reply: (serving: Serving) => Promise<void>) => {
      const started = await serving;
      if (!('complaints' in started)) await reply(started);
    };
    channel.listen((message) => {
      if ('bus' in message) return onBusMessage(message);
      if ('named' in message) return names.heard(message.named, message.tables);
      switch (message.ask) {
        case 'start':
          serving = start(message.orders);
          resolve(serving);
          return;
        case 'renew':
          newer = message.texts;
          return;
        case 'prepare':
          prepare(message.texts).then((complaints) =>
            channel.send({ did: 'prepare', round: message.round, complaints }),
          );
          return;
        case 'adopt':
          ready?.adopt();
          ready = null;
          channel.send({ did: 'adopt', round: message.round });
          return;
        case 'drop':
          ready?.drop();
          ready = null;
          return;
        case 'states':
          whenServing(async (serving) =>
            channel.send({ did: 'states', round: message.round, states: await serving.states() }),
          );
          return;
        case 'shown':
          whenServing(async (serving) =>
            channel.send({ did: 'shown', round: message.round, shown: await serving.metrics() }),
          );
          return;
        case 'stop':
          channel.stop();
      }
    });
    channel.send({ did: 'listen' });
  });
}

/** Forwards questions about logs to the primary, which reads each log for all workers. */
function namesOfPrimary(send: Channel['send']): ChangeFeed & { heard(name: number, tables: ChangedTables): void } {
  const waiting = new Map<number, (tables: ChangedTables) => void>();
  let questions = 0;
  return {
    tablesOf(source, question) {
      const name = ++questions;
      send({ name, source, question });
      return new Promise((resolve) => waiting.set(name, resolve));
    },
    heard(name, tables) {
      waiting.get(name)?.(tables);
      waiting.delete(name);
    },
    close: () => undefined,
  };
}

/** Drops events that all processes emit alike: the primary logs start and stop, and only the first worker logs warnings about tables. */
function withoutRepeats(emit: Emit, number: number): Emit {
  return (event) => {
    const isOfPrimary = event.on === 'started' || event.on === 'draining' || event.on === 'stopped';
    if (isOfPrimary || ((event.on === 'warned' || event.on === 'more visible') && number > 1)) return;
    emit(event);
  };
}
