import { expect, test } from 'vitest';
import { Grants, nameOf } from '../../../../src/accept/logins/grants.ts';
import type { Grant, Rights } from '../../../../src/model/http.ts';
import type { JsonObject } from '../../../../src/model/value.ts';

const rights = (names: readonly string[]): Rights => (names.includes('*') ? 'all' : new Set(names));
interface Written {
  readonly when?: Readonly<Record<string, string>>;
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly where?: Readonly<Record<string, JsonObject>>;
}
const grant = ({ when = {}, read = [], write = [], where = {} }: Written): Grant => ({
  when: new Map(Object.entries(when)),
  ...{ read: rights(read), write: rights(write), where: new Map(Object.entries(where)) },
});
const resources = ['lines', 'orders', 'stops'];
function given(claims: JsonObject, ...grants: readonly Written[]) {
  const { read, write, where } = new Grants(grants.map(grant), resources).of(claims);
  const list = (of: Rights) => (of === 'all' ? ['*'] : [...of]);
  return { read: list(read), write: list(write), where: Object.fromEntries(where) };
}
const nothing = { read: [], write: [], where: {} };

test('the first grant that matches and names a resource decides about it alone', () => {
  const north = { region: 'north' };
  const admins = { when: { groups: 'admins' }, read: ['*'], write: ['lines'] };
  const writers = { when: { scope: 'write' }, read: ['lines'], write: ['lines'], where: { lines: north } };
  const everybody = { read: ['lines', 'orders'] };
  const all = [admins, writers, everybody];
  expect(given({ groups: ['admins'], scope: 'write' }, ...all)).toEqual({
    read: resources,
    write: ['lines'],
    where: {},
  });
  expect(given({ scope: 'read write' }, ...all)).toEqual({
    ...{ read: ['lines', 'orders'], write: ['lines'], where: { lines: north } },
  });
  expect(given({}, ...all)).toEqual({ read: ['lines', 'orders'], write: [], where: {} });
  // A later grant without a filter does not widen, and one that only lets write lets nobody read.
  expect(given({}, { write: ['orders'] }, { read: ['*'], write: ['*'] })).toEqual({
    ...{ read: ['lines', 'stops'], write: resources, where: {} },
  });
  expect(given({}, { read: ['lines'], where: { lines: north } }, { read: ['lines'], write: ['lines'] })).toEqual({
    ...{ read: ['lines'], write: [], where: { lines: north } },
  });
});

test('without a grant that matches, a valid token may do nothing', () => {
  expect(given({ groups: 'admins' })).toEqual(nothing);
  expect(given({ groups: 'admins' }, { when: { groups: 'users' }, read: ['*'] })).toEqual(nothing);
  expect(given({ groups: 'admins' }, { when: { groups: 'admins', org: 'bern' }, read: ['*'] })).toEqual(nothing);
});

test.each<[claims: JsonObject, when: Record<string, string>, matches: boolean]>([
  [{ org: 'bern' }, { org: 'bern' }, true],
  [{ org: 'Bern' }, { org: 'bern' }, false],
  [{ org: ['zug', 'bern'] }, { org: 'bern' }, true],
  [{ org: [['bern']] }, { org: 'bern' }, false],
  [{ org: 'zug bern' }, { org: 'bern' }, false],
  [{ org: 7 }, { org: '7' }, false],
  [{ org: true }, { org: 'true' }, false],
  [{ org: null }, { org: 'null' }, false],
  [{ org: { bern: 1 } }, { org: 'bern' }, false],
  [{}, { org: 'undefined' }, false],
  [{}, { toString: 'function' }, false],
  [{ scope: 'read write' }, { scope: 'write' }, true],
  [{ scope: 'overwrite' }, { scope: 'write' }, false],
  [{ scope: 'read write' }, { scope: 'read write' }, false],
  [{ scp: 'read write' }, { scp: 'read' }, true],
  [{ scp: ['read', 'write'] }, { scp: 'read' }, true],
  [{ realm_access: { roles: ['editor'] } }, { 'realm_access.roles': 'editor' }, true],
  [{ 'realm_access.roles': ['editor'] }, { 'realm_access.roles': 'editor' }, false],
  [{ a: { scope: 'read write' } }, { 'a.scope': 'read' }, false],
])('whether the claims %j match %j: %s', (claims, when, matches) => {
  expect(given(claims, { when, read: ['orders'] }).read).toEqual(matches ? ['orders'] : []);
});

test('callers whom the same grants match share their rights', () => {
  const grants = new Grants([grant({ read: ['*'] }), grant({ when: { org: 'bern' }, write: ['*'] })], resources);
  expect(grants.of({ org: 'zug' })).toBe(grants.of({ org: 'uri' }));
  expect(grants.of({ org: 'bern' })).not.toBe(grants.of({ org: 'uri' }));
});

test.each([
  ['ana', 'staff/ana'],
  ['ana.m-b@example.org', 'staff/ana.m-b@example.org'],
  ['token bern', 'staff/token%20bern'],
  ['10.0.0.1', 'staff/10.0.0.1'],
  ['../bern', 'staff/..%2Fbern'],
  ['a\n200 forged', 'staff/a%0A200%20forged'],
  ['50%20', 'staff/50%2520'],
  ["(!*'~)", 'staff/%28%21%2A%27%7E%29'],
  ['Zoë', 'staff/Zo%C3%AB'],
  ['😀', 'staff/%F0%9F%98%80'],
  ['\ud800', 'staff/%EF%BF%BD'],
  ['x'.repeat(200), `staff/${'x'.repeat(94)}`],
])('the subject %j is named %s', (subject, name) => {
  expect(nameOf('staff', subject)).toBe(name);
});
