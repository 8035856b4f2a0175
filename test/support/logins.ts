/** A gateway that trusts an identity provider on this computer, and calls with its tokens. */
import { type IdentityProvider, identityProvider, type SigningKey } from './identity-provider.ts';
import { openSharedTables, recordsIn, type SharedTables } from './rows.ts';
import { anyEngine } from './servers/engines.ts';

/** What a call shows: the ids of its records, or the status and the end of its refusal. */
export type Shown = readonly number[] | string;

export interface LoginWorld {
  readonly shared: SharedTables;
  readonly provider: IdentityProvider;
  /** Searches the resource `lines`, where a caller sees the rows of its claim `tenant`. */
  search(token: string): Promise<Shown>;
  /** Reloads with these settings of the issuer. @throws the complaints */
  reload(issuer?: object): Promise<void>;
  /** Applies the rate limit, and begins to count calls anew. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** The settings of the issuer: every valid token may read and write everything. */
const issuerOf = ({ issuer, jwksUrl }: IdentityProvider, more: object) => ({
  ...{ name: 'staff', issuer, jwksUrl, audience: 'datastore', grants: [{ read: ['*'], write: ['*'] }] },
  ...more,
});

/** @param issuer settings of the issuer */
export async function openLogins(
  keys: readonly SigningKey[],
  issuer: object = {},
  more: { readonly cache?: object; readonly rateLimit?: object } = {},
): Promise<LoginWorld> {
  const provider = await identityProvider(keys);
  const [engine] = anyEngine();
  if (engine === undefined) throw new Error('no engine');
  const resources = { public: { database: 'db', table: 'line', access: { read: 'public' } } };
  const configuration = (issuer: object) => ({ ...more, resources, auth: { jwt: [issuerOf(provider, issuer)] } });
  const shared = await openSharedTables(engine, { ...configuration(issuer), rateLimit: 'none' });
  const reload = async (next: object) => {
    const complaints = await shared.reload(next);
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
  };
  return {
    shared,
    provider,
    async search(token) {
      const { status, text } = await shared.gateway.call(
        'datastore_search',
        { resource_id: 'lines', sort: 'id' },
        token,
      );
      const { result, error } = JSON.parse(text);
      if (status === 200) return recordsIn(result.records).map(({ id }) => Number(id));
      return `${status} ${String(error.message).replace(/^.* resource lines: /, '')}`;
    },
    reload: (next = {}) => reload(configuration(next)),
    async reset() {
      // A reload keeps the counters of limits that it does not change.
      await reload({ ...configuration(issuer), rateLimit: 'none' });
      await reload(configuration(issuer));
    },
    async close() {
      await shared.close();
      await provider.close();
    },
  };
}

/** The rows of tenant 7. */
export const seven = [1, 2, 3, 4, 5, 6];
export const unknown = '403 this token is not known';
export const expired = '403 this token has expired';
export const unchecked = '503 this login cannot be checked now, try again';
