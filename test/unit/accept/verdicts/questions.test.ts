/** What is asked, and which answers are a decision. */
import { expect, test } from 'vitest';
import {
  decisionIn,
  hasOwnTable,
  nameIn,
  questionOf,
  questionOfName,
} from '../../../../src/accept/verdicts/questions.ts';
import type { ShortAnswer } from '../../../../src/model/upstream-question.ts';
import type { JsonObject } from '../../../../src/model/value.ts';

const id = '4f9c0a3e';
const answer = (status: number, body: JsonObject | null = null, location: string | null = null): ShortAnswer => ({
  ...{ status, body, location },
});
const shown = (body: object, status = 200) => answer(status, { success: true, result: { id }, ...body });
const failed = (status: number, type: string) =>
  answer(status, { success: false, error: { __type: type, message: 'x' } });

const denied = failed(403, 'Authorization Error');
const missing = failed(404, 'Not Found Error');
const html = null;

/** What is a decision; everything else is none. */
const none = 'none';
function decision(given: ShortAnswer, right: 'read' | 'write'): string {
  try {
    return decisionIn(given, right, id);
  } catch (error) {
    if (error instanceof Error) return none;
    throw error;
  }
}

test.each<[what: string, given: ShortAnswer, read: string, write: string]>([
  ['the resource', shown({}), 'yes', 'yes'],
  ['a refusal of CKAN', denied, 'no', 'no'],
  ['a refusal of a proxy', answer(403, html), 'no', 'no'],
  ['a missing resource, or table', missing, 'no', 'yes'],
  ['a missing page of a proxy', answer(404, html), 'no', none],
  ['a missing thing of another type', failed(404, 'Search Index Error'), 'no', none],
  ['a missing thing that succeeds', answer(404, { success: true, error: { __type: 'Not Found Error' } }), 'no', none],
  ['a missing thing without success', answer(404, { error: { __type: 'Not Found Error' } }), 'no', none],
  ['a missing thing with a text for its error', answer(404, { success: false, error: 'Not Found Error' }), 'no', none],
  [
    'a missing thing with a list for its error',
    answer(404, { success: false, error: ['Not Found Error'] }),
    'no',
    none,
  ],
  ['a login page', answer(200, html), none, none],
  ['an empty object', answer(200, {}), none, none],
  ['success: false', shown({ success: false }), none, none],
  ['success: "true"', shown({ success: 'true' }), none, none],
  ['success: null', shown({ success: null }), none, none],
  ['no result', answer(200, { success: true }), none, none],
  ['result: null', shown({ result: null }), none, none],
  ['result: true', shown({ result: true }), none, none],
  ['a list as result', shown({ result: [{ id }] }), none, none],
  ['another id', shown({ result: { id: 'other' } }), none, 'yes'],
  ['the id in other case', shown({ result: { id: id.toUpperCase() } }), none, 'yes'],
  ['a list with the id', shown({ result: { id: [id] } }), none, 'yes'],
  ['no id', shown({ result: { name: id } }), none, 'yes'],
  ['the id beside the result', answer(200, { success: true, id, result: {} }), none, 'yes'],
  ['the resource with 201', shown({}, 201), none, none],
  ['the resource with 203', shown({}, 203), none, none],
  ['the resource with 206', shown({}, 206), none, none],
  ['the resource with 500', shown({}, 500), none, none],
  ['nothing', answer(204), none, none],
  ['a redirect', answer(302, html, 'https://login.example.org/'), none, none],
  ['a redirect with the resource', answer(302, { success: true, result: { id } }, '/'), none, none],
  ['unchanged', answer(304), none, none],
  ['a bad request', failed(400, 'Validation Error'), none, none],
  ['a missing CSRF token', answer(400, html), none, none],
  ['a login', failed(401, 'Authorization Error'), none, none],
  ['a conflict', failed(409, 'Validation Error'), none, none],
  ['too many requests', answer(429), none, none],
  ['an error', answer(500), none, none],
  ['a bad gateway', answer(502), none, none],
  ['no status', answer(0), none, none],
])('%s', (_, given, read, write) => {
  expect([decision(given, 'read'), decision(given, 'write')]).toEqual([read, write]);
});

test('what is no decision is described for the log', () => {
  const text = (given: ShortAnswer, right: 'read' | 'write') => () => decisionIn(given, right, id);
  expect(text(answer(302, html, 'https://login.example.org/'), 'read')).toThrow(
    'resource_show of the upstream redirects to https://login.example.org/',
  );
  expect(text(answer(200, html), 'read')).toThrow('resource_show of the upstream answered 200, not in JSON');
  expect(text(answer(404, {}), 'write')).toThrow('datastore_upsert of the upstream answered 404, not as CKAN does');
});

test('the questions write nothing, count nothing and cannot leave their path', () => {
  const headers = { authorization: 'T' };
  expect(questionOf('read', id, headers)).toEqual({
    ...{ method: 'GET', target: `/api/3/action/resource_show?id=${id}`, headers, body: null },
  });
  expect(questionOf('read', '../a b&id=c#d\n', {}).target).toBe(
    '/api/3/action/resource_show?id=..%2Fa%20b%26id%3Dc%23d%0A',
  );
  const { body, ...write } = questionOf('write', id, headers);
  expect(write).toEqual({ method: 'POST', target: '/api/3/action/datastore_upsert', headers });
  expect(JSON.parse(body ?? '')).toEqual({
    ...{ resource_id: id, method: 'insert', records: [], force: true, dry_run: true, calculate_record_count: false },
  });
  expect(questionOfName(headers)).toEqual({ method: 'GET', target: '/api/3/action/user_show', headers, body: null });
});

test.each<[given: ShortAnswer, name: string | null]>([
  [shown({ result: { name: 'ana' } }), 'ana'],
  [shown({ result: { name: '' } }), null],
  [shown({ result: { name: 7 } }), null],
  [shown({ result: { name: ['ana'] } }), null],
  [shown({ result: {} }), null],
  [shown({ success: false, result: { name: 'ana' } }), null],
  [shown({ result: { name: 'ana' } }, 404), null],
  [answer(200), null],
])('the account in %j is %j', (given, name) => {
  expect(nameIn(given)).toBe(name);
});

test('only a 200 to the question for writing shows a table of the upstream', () => {
  expect([shown({}), missing, denied].map(hasOwnTable)).toEqual([true, false, false]);
});
