/** The recorded answers of CKAN's DataStore are those of a real one. `UPDATE=1` records them again. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Ckan, startCkan } from '../support/ckan/ckan.ts';
import { recordedAnswers, recordedId, recording, searches, table } from '../support/ckan/datastore-searches.ts';
import { createOrganization, createResource, createUser, resultOf } from '../support/ckan/site.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';

const bin = inject('ckan');

describe.skipIf(bin === null)('CKAN', () => {
  let scope: Scope;
  let ckan: Ckan;
  let resource: string;

  beforeAll(async () => {
    scope = openScope();
    ckan = await startCkan(scope, bin ?? '');
    const organization = await createOrganization(ckan, [{ user: await createUser(ckan), role: 'editor' }]);
    resource = await createResource(ckan, organization, false);
    const { fields, records } = table;
    const rows = records.map((row) => Object.fromEntries(fields.map(({ id }, at) => [id, row[at] ?? null])));
    await resultOf(ckan, 'datastore_create', { resource_id: resource, force: true, fields, records: rows });
  });
  afterAll(() => scope?.close());

  test('answers each search as it is recorded', async () => {
    const answers: Record<string, unknown> = {};
    for (const [name, params] of Object.entries(searches)) {
      const answer = await fetch(`${ckan.url}/api/3/action/datastore_search`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...params, resource_id: resource }),
      });
      const text = (await answer.text()).replaceAll(resource, recordedId).replaceAll(ckan.url, 'http://ckan.test');
      answers[name] = { status: answer.status, body: text };
    }
    if (process.env.UPDATE === '1') writeFileSync(recording, `${JSON.stringify(answers, null, 2)}\n`);
    expect(answers).toEqual(recordedAnswers());
  });
});
