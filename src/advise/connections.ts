import { quotedName, type Rule } from './facts.ts';

/** How many milliseconds the gateway keeps idle sessions. */
const idleTimeMs = 15_000;

/** Finds pools that may open more connections than the server allows, and servers that end idle sessions before the gateway does. */
export const connections: Rule = ({ database, server, pool }) => {
  const { connections: maxConnections, idleTimeout } = server;
  const path = ['databases', database, 'pool'];
  const others = pool.databases.filter((name) => name !== database);
  const beside = others.length === 0 ? '' : ` with those of ${others.map(quotedName).join(', ')}`;
  const tooMany =
    maxConnections !== null && pool.connections > maxConnections
      ? `and downloads may take ${pool.connections} connections${beside}, but the server has ${maxConnections} for this user: lower pool.max or limits.dumpsPerDatabase`
      : null;
  const tooShort =
    idleTimeout !== null && idleTimeout < idleTimeMs
      ? `keeps idle sessions for ${idleTimeMs / 1000} s, but the server ends them after ${idleTimeout / 1000} s: calls then wait for new ones`
      : null;
  return [tooMany, tooShort].flatMap((says) => (says === null ? [] : [{ path, says }]));
};
