import { expect, test, vi } from 'vitest';
import { log } from '../../../src/watch/log.ts';

test('a kind of difference of a resource is logged once a minute, with its columns and no value', () => {
  vi.useFakeTimers();
  try {
    const lines: string[] = [];
    const to = { write: (line: string) => void lines.push(line.trim()) };
    const tell = log({ level: 'info', requests: 'misses', format: 'text' }, null, to);
    const differs = (resource: string, kind: 'values' | 'total', columns: readonly string[]) =>
      tell({ on: 'shadow differs', resource, kind, columns });
    differs('a', 'values', ['name', 'day']);
    differs('a', 'values', ['name']);
    differs('a', 'total', []);
    differs('b', 'values', ['name']);
    tell({ on: 'shadowed', resource: 'a', result: 'different' });
    tell({ on: 'shadow failed', resource: 'a', cause: new Error('the upstream answered 502, not in JSON') });
    tell({ on: 'shadow failed', resource: 'a', cause: new Error('again') });
    vi.advanceTimersByTime(60_000);
    differs('a', 'values', ['name']);
    expect(lines.map((line) => line.replace(/^\S+ WARNING /, ''))).toEqual([
      'resource a differs from the upstream: values of name, day',
      'resource a differs from the upstream: total',
      'resource b differs from the upstream: values of name',
      'resource a could not be compared with the upstream: Error: the upstream answered 502, not in JSON',
      'resource a differs from the upstream: values of name',
    ]);
  } finally {
    vi.useRealTimers();
  }
});
