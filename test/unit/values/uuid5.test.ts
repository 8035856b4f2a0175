import { expect, test } from 'vitest';
import { uuidOf } from '../../../src/commands/uuid.ts';
import { urlNamespace, uuid5 } from '../../../src/values/uuid5.ts';

test.each([
  // The example of RFC 9562, A.4.
  ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
  // By Python's uuid.uuid5.
  [urlNamespace, 'http://www.example.com/', 'fcde3c85-2270-590f-9e7c-ee003d65e0e2'],
])('the UUID of %s and %s', (namespace, name, uuid) => {
  expect(uuid5(namespace, name)).toBe(uuid);
});

test('the ids of tables stay what they are in configurations that exist', () => {
  expect(uuidOf('erp', { schema: null, name: 'Kunde' })).toBe('dbd5db1a-30fd-586d-820e-173d09edd7f7');
});
