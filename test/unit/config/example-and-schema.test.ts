import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { formatComplaint } from '../../../src/config/complaints.ts';
import { loadSettings } from '../../../src/config/load.ts';
import { describeSettings, jsonSchema } from '../../../src/config/schema.ts';

const config = resolve(import.meta.dirname, '../../../config');
const example = resolve(config, 'example.yaml');

test('the example is a configuration that loads', () => {
  const env = { LEGACY_PASSWORD: 'a@b/c#d', STATS_PASSWORD: 'x', ETL_TOKEN_SHA256: '0'.repeat(64) };
  const loaded = loadSettings(example, env);
  expect(loaded.ok ? [] : loaded.complaints.map(formatComplaint)).toEqual([]);
});

test('the example explains every setting', () => {
  const text = readFileSync(example, 'utf8');
  const unexplained = describeSettings()
    .map(({ path }) => path.split('.').at(-1) ?? '')
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
  expect(unexplained).toEqual([]);
});

test('every setting has one line of help and a default', () => {
  const all = describeSettings();
  expect(all.length).toBeGreaterThan(70);
  expect(all.filter(({ help }) => !/^[A-Z/][^\n]*\.$/.test(help))).toEqual([]);
  expect(all.find(({ path }) => path === 'server.compat')?.default).toBe('"2.12"');
  expect(all.find(({ path }) => path === 'databases.*.pool.acquireTimeout')?.default).toBe('2s');
  expect(all.find(({ path }) => path === 'tokens[].sha256')?.default).toBe('required');
});

test('the JSON Schema is that of the code (UPDATE=1 writes it)', () => {
  const file = resolve(config, 'datastore-gateway.schema.json');
  // Without line ends: editors read it, people read docs/settings.md, and it would be three times as long.
  const expected = `${JSON.stringify(jsonSchema())}\n`;
  if (process.env.UPDATE === '1') writeFileSync(file, expected);
  expect(readFileSync(file, 'utf8')).toBe(expected);
});

test('no way to start the gateway gives Node a flag of V8, and no test does: each version of Node has others', () => {
  const files = ['package.json', 'config/Dockerfile', 'config/datastore-gateway.service'];
  const words = files.map(
    (file) => /\bnode\b([^&\n]*)dist\/main\.js(?!')/.exec(readFileSync(resolve(config, '..', file), 'utf8'))?.[1],
  );
  expect(words).toEqual([' ', '", "', ' /opt/datastore-gateway/']);
  expect(process.execArgv.filter((word) => /-(?:size|budget)=/.test(word))).toEqual([]);
});
