import type { Join, News } from './bus.ts';
import type { FromHub, ToHub } from './hub.ts';

/** The line between a worker and the primary: keeps what is sent in order, and breaks only with one of them. */
export interface Line {
  send(message: ToHub): void;
  listen(hear: (message: FromHub) => void): void;
}

/**
 * The bus of one worker among several; the primary is its hub. What is told while a round is under way waits for the next
 * one and shares it, so that many writes at a time cost no more rounds than one.
 */
export function cluster(line: Line): Join {
  return (hear) =>
    new Promise((joined) => {
      const told = new Map<number, () => void>();
      let rounds = 0;
      let gathered: News[] = [];
      let current: Promise<void> = Promise.resolve();
      let next: Promise<void> | null = null;
      const round = (): Promise<void> => {
        const news = gathered;
        gathered = [];
        next = null;
        current = new Promise((done) => {
          told.set(++rounds, done);
          line.send({ bus: 'tell', round: rounds, news });
        });
        return current;
      };
      const bus = {
        tell(news: News): Promise<void> {
          gathered.push(news);
          next ??= current.then(round);
          return next;
        },
      };
      line.listen((message) => {
        switch (message.bus) {
          case 'joined':
            for (const news of message.news) hear(news);
            return joined(bus);
          case 'news':
            for (const news of message.news) hear(news);
            // After it was heard: whoever asks from now on asks under the new counts.
            return line.send({ bus: 'heard', round: message.round });
          case 'told':
            told.get(message.round)?.();
            told.delete(message.round);
        }
      });
      line.send({ bus: 'join' });
    });
}
