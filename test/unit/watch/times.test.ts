import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { text } from '../../../src/watch/sum.ts';
import { Times } from '../../../src/watch/times.ts';

const buckets = [0.001, 0.25, 10];
const one = { name: 'one_seconds', help: 'By one label.', buckets };
const two = { name: 'two_seconds', help: 'By two labels.', buckets };
const shown = async (registry: Registry) => text([await registry.getMetricsAsJSON()]);

test('the counts are those of the library', async () => {
  const word = fc.constantFrom('read', 'write', '');
  const milliseconds = fc.oneof(fc.constantFrom(0, 1, 250, 10_000, 10_001), fc.integer({ min: 0, max: 20_000 }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(milliseconds, word, word), { maxLength: 30 }), async (all) => {
      const [registry, library] = [new Registry(), new Registry()];
      const own = [new Times({ ...one, labelNames: ['a'] }), new Times({ ...two, labelNames: ['a', 'b'] })] as const;
      for (const times of own) registry.registerMetric(times);
      const theirs = [
        new Histogram({ ...one, labelNames: ['a'], registers: [library] }),
        new Histogram({ ...two, labelNames: ['a', 'b'], registers: [library] }),
      ] as const;
      for (const [milliseconds, a, b] of all) {
        own[0].add(milliseconds, a);
        own[1].add(milliseconds, a, b);
        theirs[0].observe({ a }, milliseconds / 1000);
        theirs[1].observe({ a, b }, milliseconds / 1000);
      }
      const lines = (whole: string) => whole.split('\n').sort();
      expect(lines(await shown(registry))).toEqual(lines(await shown(library)));
    }),
    { numRuns: 200, seed: 20_261_122 },
  );
});
