import type { Join, Message } from './bus.ts';
import type { FromHub, ToHub } from './hub.ts';

/** The channel between a worker and the primary. It keeps messages in order, and closes only when one of the two processes ends. */
export interface Channel {
  send(message: ToHub): void;
  listen(onMessage: (message: FromHub) => void): void;
}

/**
 * The bus of one worker; the primary process is the hub. A round sends messages and waits until all other workers have them. Messages
 * published meanwhile share the next round, so a hundred concurrent writes need only one more.
 */
export function cluster(channel: Channel): Join {
  return (onMessage) =>
    new Promise((joined) => {
      /** Resolves the round in flight; there is only one at a time. */
      let published: () => void = () => undefined;
      let pending: Message[] = [];
      let current: Promise<void> = Promise.resolve();
      let next: Promise<void> | null = null;
      const round = (): Promise<void> => {
        const messages = pending;
        pending = [];
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
          pending.push(message);
          return nextRound();
        },
        // The hub sends each message to all workers at once, so the others receive it before they receive the next round.
        synced: nextRound,
      };
      channel.listen((message) => {
        switch (message.bus) {
          case 'joined':
            for (const one of message.messages) onMessage(one);
            return joined(bus);
          case 'messages':
            for (const one of message.messages) onMessage(one);
            // Acknowledge only after the counters are bumped: then every later request in this process builds its key from the new counts.
            return channel.send({ bus: 'received', round: message.round });
          case 'published':
            published();
        }
      });
      channel.send({ bus: 'join' });
    });
}
