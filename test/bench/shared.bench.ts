/**
 * What gateways would save that shared their answers in Redis: the reads of the database, counted by a model of the caches. What such an
 * answer takes is measured by `shared-answers.bench.ts`.
 */
import { afterAll, expect, test } from 'vitest';
import { Random } from '../support/random.ts';
import { report } from './report.ts';

const gateways = 10;
/** Of each resource so many searches; both are asked with a frequency of 1/rank. */
const [resources, searches] = [20, 200];
const requests = 200_000;

/** Draws ranks from 0 up, each 1/rank as often as the first. */
function zipf(random: Random, count: number): () => number {
  let sum = 0;
  const sums = Array.from({ length: count }, (_, rank) => {
    sum += 1 / (rank + 1);
    return sum;
  });
  return () => {
    const drawn = random.next() * sum;
    return sums.findIndex((up) => drawn < up);
  };
}

interface Reads {
  /** By gateways with a cache each, behind a balancer that takes them in turn. */
  readonly own: number;
  /** Where each answer is loaded once: with a second level, or where each resource has its gateway. */
  readonly once: number;
}

/**
 * Reads of the database, in percent of the searches.
 * @param each after how many searches, on average, a write makes the answers of its resource old; null: there are none
 */
function readsOf(each: number | null, count: number): Reads {
  const random = new Random(20261124);
  const [resourceOf, searchOf] = [zipf(random, resources), zipf(random, searches)];
  const versions = Array.from({ length: resources }, () => 0);
  const [own, once] = [new Set<string>(), new Set<string>()];
  for (let nth = 0; nth < count; nth++) {
    if (each !== null && random.isIn(1 / each)) {
      const written = resourceOf();
      versions[written] = (versions[written] ?? 0) + 1;
    }
    const resource = resourceOf();
    const search = `${resource} ${searchOf()} ${versions[resource]}`;
    own.add(`${random.from(1, gateways)} ${search}`);
    once.add(search);
  }
  return { own: (100 * own.size) / count, once: (100 * once.size) / count };
}

const mixes = [
  ['cold start, the first 10,000 searches', null, 10_000],
  ['a write after 10,000 searches', 10_000, requests],
  ['a write after 1,000 searches', 1000, requests],
  ['a write after 100 searches', 100, requests],
  ['a write after 10 searches', 10, requests],
] as const;

const mixed: (readonly string[])[] = [];
afterAll(() => {
  const title = `Searches that ${gateways} gateways read from the database, of ${resources} resources with ${searches} searches each, by a model`;
  report('shared', title, ['Mix', 'own caches (%)', 'each answer loaded once (%)', 'saved'], mixed);
});

test.each(mixes)('%s', (name, each, count) => {
  const { own, once } = readsOf(each, count);
  mixed.push([name, own.toFixed(1), once.toFixed(1), `${(100 * (1 - once / own)).toFixed(0)} %`]);
  expect(once).toBeLessThan(own);
});
