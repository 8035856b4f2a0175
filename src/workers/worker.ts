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
  return new WorkerProcess(load, channel).opened;
}

class WorkerProcess {
  /** The result of `serve`, which begins when the primary sends `start`. */
  readonly opened: Promise<Opened>;
  readonly #load: (texts: Texts) => Configuration;
  readonly #channel: Channel;
  readonly #names: ReturnType<typeof namesOfPrimary>;
  /** Turns a configuration into one worker's: with its share of the limits, and with the old values of settings that need a restart. */
  #share = (configuration: Configuration): Configuration => configuration;
  #onBusMessage = (_: FromHub): void => undefined;
  /** The texts that the other workers adopted while this one started; null if they have none newer. */
  #newer: Texts | null = null;
  /** A reload's configuration, which all workers have to check before any of them adopts it. */
  #prepared: PreparedConfiguration | null = null;

  constructor(load: (texts: Texts) => Configuration, channel: Channel) {
    this.#load = load;
    this.#channel = channel;
    this.#names = namesOfPrimary(channel.send);
    const orders = new Promise<Orders>((begin) => channel.listen((message) => this.#onMessage(message, begin)));
    this.opened = orders.then((received) => this.#start(received));
    channel.send({ did: 'listen' });
  }

  #onMessage(message: ToWorker, begin: (orders: Orders) => void): unknown {
    if ('bus' in message) return this.#onBusMessage(message);
    if ('named' in message) return this.#names.heard(message.named, message.tables);
    switch (message.ask) {
      case 'start':
        return begin(message.orders);
      case 'renew':
        this.#newer = message.texts;
        return;
      case 'prepare':
        return this.#prepare(message.texts, message.round);
      case 'adopt':
        this.#prepared?.adopt();
        this.#prepared = null;
        return this.#channel.send({ did: 'adopt', round: message.round });
      case 'drop':
        this.#prepared?.drop();
        this.#prepared = null;
        return;
      case 'states':
      case 'shown':
        return this.#report(message.ask, message.round);
      case 'stop':
        return this.#channel.stop();
    }
  }

  async #start({ texts, first, number, workers, secret, isLenient }: Orders): Promise<Opened> {
    const loaded = this.#load(texts);
    const begun = first === null ? loaded.settings : this.#load(first).settings;
    // Only the primary opens the admin port.
    this.#share = ({ settings, ...others }) => ({
      ...others,
      settings: { ...shareOf(afterReload(begun, settings), workers), admin: null },
    });
    const configuration = this.#share(loaded);
    const { send } = this.#channel;
    const opened = await serve({
      ...configuration,
      ...{ secret, isLenient },
      emit: withoutRepeats(log(configuration.settings.log, number), number),
      bus: cluster({
        send,
        listen: (listener) => {
          this.#onBusMessage = listener;
        },
      }),
      newer: () => (this.#newer === null ? null : this.#share(this.#load(this.#newer))),
      names: () => this.#names,
    });
    if (!('complaints' in opened)) send({ did: 'serve', port: opened.port });
    return opened;
  }

  async #prepare(texts: Texts, round: number): Promise<void> {
    const opened = await this.opened;
    const prepared = 'complaints' in opened ? opened : await opened.prepare(this.#share(this.#load(texts)));
    const hasFailed = 'complaints' in prepared;
    if (!hasFailed) this.#prepared = prepared;
    this.#channel.send({ did: 'prepare', round, complaints: hasFailed ? prepared.complaints : [] });
  }

  /** Reports once this worker serves. The primary may ask earlier, as soon as the worker has joined the bus. */
  async #report(what: 'states' | 'shown', round: number): Promise<void> {
    const opened = await this.opened;
    if ('complaints' in opened) return;
    if (what === 'states') this.#channel.send({ did: what, round, states: await opened.states() });
    else this.#channel.send({ did: what, round, shown: await opened.metrics() });
  }
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

/** Drops events that every process would emit: the primary logs start and stop, and only the first worker logs warnings about tables. */
function withoutRepeats(emit: Emit, number: number): Emit {
  return (event) => {
    const isOfPrimary = event.on === 'started' || event.on === 'draining' || event.on === 'stopped';
    if (isOfPrimary || ((event.on === 'warned' || event.on === 'more visible') && number > 1)) return;
    emit(event);
  };
}
