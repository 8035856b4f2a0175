/** The log lines in docs/operations.md are the ones that the gateway really writes. */
import { expect, test } from 'vitest';
import type { Event } from '../../src/model/events.ts';
import { log } from '../../src/watch/log.ts';
import { fencesOf } from '../support/docs/fences.ts';

const shown = fencesOf('docs/operations.md')
  .filter(({ text }) => text.startsWith('{"level"'))
  .flatMap(({ text }) => text.split('\n'));

const complaint = 'server.prot (my.yaml:1:11) is not a setting; did you mean "port"?';
const events: readonly (readonly [worker: number | null, event: Event])[] = [
  [null, { on: 'configuration not taken over', complaints: [complaint] }],
  [null, { on: 'reloaded', resources: 12, needRestart: ['server.port'] }],
  [
    2,
    {
      ...{ on: 'answered', id: 'shop-17', address: '127.0.0.1', action: 'datastore_search', resource: 'films' },
      ...{
        caller: 'etl',
        cache: 'miss',
        status: 200,
        milliseconds: 110,
        waited: 0.2,
        queried: 93.4,
        cause: undefined,
      },
    },
  ],
];

test('each line that is shown is written for its event', () => {
  const written = events.map(([worker, event]) => {
    const lines: string[] = [];
    const to = { write: (line: string) => void lines.push(line.trim()) };
    log({ level: 'info', requests: 'all', format: 'json' }, worker, to)(event);
    return lines.join('\n');
  });
  const timeless = (line: string) => line.replace(/"time":\d+/, '"time":0');
  expect(shown.map(timeless)).toEqual(written.map(timeless));
});
