/** The benchmarks measure what users run. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

test('no benchmark gives Node flags that a user does not give', () => {
  const folder = resolve(import.meta.dirname, '../bench');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:ts|mjs)$/.test(name),
  );
  const flags = /--[a-z-]*(?:semi-space|old-space|heap|budget)\b|setFlagsFromString|v8-options/;
  expect(sources.filter((name) => flags.test(readFileSync(resolve(folder, name), 'utf8')))).toEqual([]);
});
