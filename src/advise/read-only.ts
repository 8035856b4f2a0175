import type { Replica } from '../model/advice.ts';
import type { Rule } from './facts.ts';

/** Finds databases that are replicas or read-only: a replica's data lags behind, and writes are impossible. */
export const readOnly: Rule = ({ database, resources, server }) => [
  ...(server.replica === null ? [] : [{ path: ['databases', database], says: behind(server.replica) }]),
  ...(server.isReadOnly ? resources.filter(({ write }) => write !== 'none') : []).map(({ id }) => ({
    path: ['resources', id, 'access', 'write'],
    says: 'is token, but the server is read-only, as a replica is: every write will be refused with 503',
  })),
];

function behind({ lag, isReceiving }: Replica): string {
  const receiving = isReceiving ? '' : ' that receives nothing from its primary at the moment';
  const much =
    lag === null ? 'how far behind is unknown' : lag === 0 ? 'not behind now' : `up to ${lag / 1000} s behind`;
  return `is a replica${receiving}, ${much}: by its lag answers are older than cache.ttl allows`;
}
