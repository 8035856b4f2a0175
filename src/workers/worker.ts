import type { FromHub } from '../cache/buses/hub.ts';
import * as buses from '../cache/buses/index.ts';
import { type PreparedConfiguration, type Serving, serve } from '../commands/serve.ts';
import { shareOf } from '../config/share.ts';
import type { Texts } from '../config/texts.ts';
import type { Configuration } from '../gateway/current.ts';
import type { Emit } from '../model/events.ts';
import { log } from '../watch/log.ts';
import type { FromWorker, Orders, ToWorker } from './messages.ts';

/** The channel between a worker and the primary. It keeps messages in order, both ways. */
export interface Channel {
  send(message: FromWorker): void;
  listen(hear: (message: ToWorker) => void): void;
  /** Ends this process at the primary's request. */
  stop(): void;
}
type Opened = Serving | { readonly complaints: readonly string[] };

/**
 * Serves as one of several workers, directed by the primary.
 * @param load reads the configuration from texts that the primary has validated
 * @returns as `serve`, after the primary's `start` message
 */
export function work(load: (texts: Texts) => Configuration, tie: Channel): Promise<Opened> {
  return new Promise((resolve) => {
    let hear = (_: FromHub): void => undefined;
    let serving: Promise<Opened> = Promise.reject(new Error('not started'));
    let share = (configuration: Configuration): Configuration => configuration;
    let ready: PreparedConfiguration | null = null;
    serving.catch(() => undefined);

    const start = async ({ texts, number, workers, secret, lenient }: Orders): Promise<Opened> => {
      // The primary has the only admin port.
      share = ({ settings, positions }) => ({ settings: { ...shareOf(settings, workers), admin: null }, positions });
      const configuration = share(load(texts));
      const emit = part(log(configuration.settings.log, number), number);
      const bus = buses.cluster({
        send: tie.send,
        listen: (listener) => {
          hear = listener;
        },
      });
      const started = await serve({ ...configuration, emit, bus, secret, lenient });
      if (!('complaints' in started)) tie.send({ did: 'serve', port: started.port });
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
    /** Waits until this worker serves: the primary asks it as soon as it has joined the bus. */
    const asked = async (tell: (serving: Serving) => Promise<void>) => {
      const started = await serving;
      if (!('complaints' in started)) await tell(started);
    };
    tie.listen((message) => {
      if ('bus' in message) {
        hear(message);
        return;
      }
      switch (message.ask) {
        case 'start':
          serving = start(message.orders);
          resolve(serving);
          return;
        case 'prepare':
          prepare(message.texts).then((complaints) => tie.send({ did: 'prepare', round: message.round, complaints }));
          return;
        case 'adopt':
          ready?.adopt();
          ready = null;
          tie.send({ did: 'adopt', round: message.round });
          return;
        case 'drop':
          ready?.drop();
          ready = null;
          return;
        case 'states':
          asked(async ({ states }) => tie.send({ did: 'states', round: message.round, states: await states() }));
          return;
        case 'shown':
          asked(async ({ shown }) => tie.send({ did: 'shown', round: message.round, shown: await shown() }));
          return;
        case 'stop':
          tie.stop();
      }
    });
    tie.send({ did: 'listen' });
  });
}

/** Suppresses events that all processes would repeat: the primary logs start and end, the first worker warns about the tables. */
function part(emit: Emit, number: number): Emit {
  return (event) => {
    const isOfPrimary = event.on === 'started' || event.on === 'draining' || event.on === 'stopped';
    if (isOfPrimary || (event.on === 'warned' && number > 1)) return;
    emit(event);
  };
}
