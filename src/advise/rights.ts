import type { Rule } from './facts.ts';

/** Finds database users with more privileges than the gateway needs, which make a bug or a stolen password more harmful. */
export const rights: Rule = ({ database, resources, server, user }) => {
  if (server.powers.length === 0 || resources.length === 0) return [];
  const { name, sql, next } = server.remedies.user(resources.map(({ needs }) => needs));
  const says = `uses ${user}, who ${server.powers.join(', ')}; a user with the rights that this file needs is ${name} (${next})`;
  return [{ path: ['databases', database], says, sql }];
};
