import { expect, test } from 'vitest';
import { shadowFigures, shadowLine } from '../../../src/commands/shadow-report.ts';
import { fencesOf } from '../../support/docs/fences.ts';

const metrics = (resource: string) => `
# TYPE gateway_shadow_total counter
gateway_shadow_total{resource="${resource}",result="same"} 1201
gateway_shadow_total{resource="other",result="same"} 7
gateway_shadow_total{resource="${resource}",result="different"} 2
gateway_shadow_total{resource="${resource}",result="busy"} 5
gateway_shadow_differences_total{resource="${resource}",kind="values"} 2
gateway_requests_total{resource="${resource}",result="same"} 99
`;
const figures = { same: 1201, different: 2, differences: { values: 2 }, dropped: { busy: 5 } };

test('the figures of a resource are those of its series', () => {
  expect(shadowFigures(metrics('countries'))('countries')).toEqual(figures);
  expect(shadowFigures(metrics('a\\"b\\\\c, {d}'))('a"b\\c, {d}')).toEqual(figures);
  expect(shadowFigures(metrics('countries'))('absent')).toEqual({
    same: 0,
    different: 0,
    differences: {},
    dropped: {},
  });
});

test('the line in the docs is the one that `check` prints', () => {
  const [shown] = fencesOf('docs/upstream.md').filter(({ language }) => language === 'text');
  const upstream = '0b1d4a52-6f0e-4a4c-8f0d-5d8d3d1f7e02';
  expect(shown?.text.trim()).toBe(shadowLine({ resource: 'countries', upstream, figures }));
});
