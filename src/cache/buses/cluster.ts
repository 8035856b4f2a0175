import type { Join, Message } from './bus.ts';
import type { FromHub, ToHub } from './hub.ts';

/** The channel between a worker and the primary. It keeps messages in order and closes only when one of them ends. */
export interface Channel {
  send(message: ToHub): void;
  listen(onMessage: (message: FromHub) => void): void;
}

/**
 * The bus of one worker among several; the primary is its hub. Messages published during a round wait for the next round and
 * share it. So many concurrent writes cost no more rounds than one.
 */
export function cluster(channel: Channel): Join {
  return (onMessage) =>
    new Promise((joined) => {
      /** Ends the round under way: there is one at a time. */
      let published: () => void = () => undefined;
      let gathered: Message[] = [];
      let current: Promise<void> = Promise.resolve();
      let next: Promise<void> | null = null;
      const round = (): Promise<void> => {
        const messages = gathered;
        gathered = [];
        next = null;
        current = new Promise((done) => {
          published = done;
          channel.send({ bus: 'publish', messages });
        });
        return current;
      };
      const nextRound = (): Promise<void> => {
        next ??= current.then(round);
        return next;
      };
      const bus = {
        publish(message: Message): Promise<void> {
          gathered.push(message);
          return nextRound();
        },
        // The hub sends each message to all others at once: a round begins after it everywhere.
        heard: nextRound,
      };
      channel.listen((message) => {
        switch (message.bus) {
          case 'joined':
            for (const one of message.messages) onMessage(one);
            return joined(bus);
          case 'messages':
            for (const one of message.messages) onMessage(one);
            // After the messages: a request from now on builds its key from the new counts.
            return channel.send({ bus: 'received', round: message.round });
          case 'published':
            published();
        }
      });
      channel.send({ bus: 'join' });
    });
}
