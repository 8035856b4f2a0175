import type { Rule } from './facts.ts';

/** A replica behind the address of a resource that is written. */
export const readOnly: Rule = ({ resources, server }) =>
  server.isReadOnly
    ? resources
        .filter(({ write }) => write === 'token')
        .map(({ id }) => ({
          path: ['resources', id, 'access', 'write'],
          says: 'is token, but the server is read-only, as a replica is: every write will be refused with 503',
        }))
    : [];
