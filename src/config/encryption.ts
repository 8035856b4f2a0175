import { type Connection, serverEngine } from '../model/engines.ts';
import type { Settings } from './assemble.ts';
import type { Finding } from './complaints.ts';

/** Warns about each connection to another machine without TLS. */
export function unencrypted({ databases }: Pick<Settings, 'databases'>): readonly Finding[] {
  return [...databases.values()].flatMap((database): readonly Finding[] => {
    if (!('connection' in database)) return [];
    const { name, connection, feedConnection, replicas } = database;
    const all = [
      [['connection'], connection] as const,
      ...(feedConnection === null ? [] : [[['feedConnection'], feedConnection] as const]),
      ...replicas.map((replica, nth) => [['replicas', nth], replica] as const),
    ];
    const parameters = Object.entries(serverEngine(database.client).parameters);
    const parameter = (how: 'verified' | 'unverified') => parameters.find(([, is]) => is === how)?.[0];
    const says = `sends passwords and rows unencrypted over the network: add ?${parameter('verified')} to its URL, or tls: true to its mapping (?${parameter('unverified')} encrypts without verifying the server)`;
    return all.flatMap(([at, one]) => (isUnencrypted(one) ? [{ path: ['databases', name, ...at], says }] : []));
  });
}

const isUnencrypted = ({ host, socketPath, tls }: Connection): boolean =>
  tls === null &&
  socketPath === null &&
  host !== null &&
  !/^(127\.[\d.]+|0\.0\.0\.0|::1|(.+\.)?localhost\.?)$/i.test(host);
