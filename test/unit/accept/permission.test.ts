import { expect, test } from 'vitest';
import { canRead, permit } from '../../../src/accept/permit.ts';
import { Refusal } from '../../../src/model/errors.ts';
import type { Access, Anonymous, Caller, Resource, Rights } from '../../../src/model/http.ts';
import { noMetadata } from '../../../src/model/metadata.ts';
import { noRoles } from '../../../src/model/table.ts';

const resource = (access: Partial<Access>): Resource => ({
  id: 'RID',
  access: { read: 'token', write: 'none', deleteAll: false, aggregate: true, sql: false, ...access },
  table: {
    resource: 'RID',
    database: 'db',
    schema: null,
    name: 'secret_table',
    columns: [],
    all: [],
    labels: new Map(),
    key: [],
    keyIs: 'none',
    order: { by: [], isTotal: false },
    uniqueKeys: [],
    sequence: { records: 'in any order', numbered: [], required: [] },
    mayDefer: false,
    definition: null,
    foreignKeys: [],
    transactional: true,
    allowPartial: false,
    search: { mode: 'like', columns: [], language: 'english', languages: null, index: null },
    about: { title: '', description: '', aliases: [], indexes: [], hides: false, metadata: noMetadata, roles: noRoles },
  },
});
const none: Rights = new Set();
const only: Rights = new Set(['other', 'RID']);
const norm = (read: Rights, write: Rights): Caller => ({
  ...{ name: 'norm', read, write, where: new Map(), claims: {} },
  until: Number.POSITIVE_INFINITY,
});

const rows: readonly (readonly [
  caller: Caller | null,
  access: Partial<Access>,
  effect: 'read' | 'write',
  may: boolean,
])[] = [
  [null, { read: 'public' }, 'read', true],
  [null, {}, 'read', false],
  [null, { read: 'public', write: 'token' }, 'write', false],
  [norm(none, none), { read: 'public' }, 'read', true],
  [norm(none, 'all'), {}, 'read', false],
  [norm(only, none), {}, 'read', true],
  [norm('all', none), {}, 'read', true],
  [norm(new Set(['other']), none), {}, 'read', false],
  [norm('all', 'all'), { write: 'none' }, 'write', false],
  [norm('all', 'all'), { write: 'token' }, 'write', true],
  [norm('all', only), { write: 'token' }, 'write', true],
  [norm('all', none), { write: 'token' }, 'write', false],
];

test.each(rows)('%j %j %s: %s', (caller, access, effect, may) => {
  const right = effect === 'read' ? 'resource_show' : 'resource_update';
  const go = () => permit(caller ?? 'no token', resource(access), effect);
  if (effect === 'read') expect(canRead(caller, resource(access))).toBe(may);
  if (may) expect(go).not.toThrow();
  else
    expect(go).toThrow(
      new Refusal('denied', {
        message: `Access denied: User ${caller?.name ?? ''} not authorized to perform ${right} on resource RID${caller === null ? ': no token was sent' : ''}`,
      }),
    );
});

test.each<[Anonymous, string]>([
  ['no token', 'no token was sent'],
  ['unknown token', 'this token is not known'],
  ['callback', 'a call with a callback is anonymous'],
])('%s: an anonymous caller has no name between the blanks, and gets the reason', (who, why) => {
  const message = `Access denied: User  not authorized to perform resource_update on resource RID: ${why}`;
  expect(() => permit(who, resource({}), 'write')).toThrow(new Refusal('denied', { message }));
  expect(() => permit(who, resource({ read: 'public' }), 'read')).not.toThrow();
});
