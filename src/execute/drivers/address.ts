/** Where a server is and how to enter it. */
export interface Address {
  readonly host: string | null;
  readonly port: number | null;
  readonly user: string | null;
  readonly password: string | null;
  readonly database: string;
  readonly socketPath: string | null;
  readonly tls: null | { readonly ca: string | null; readonly rejectUnauthorized: boolean };
}

/** Milliseconds a new connection may take. */
export const connectTimeout = 5000;
/** And one over which a server is only asked something, with its answer. */
export const asideTimeout = 2000;

export function tlsOptions(tls: Exclude<Address['tls'], null>): { rejectUnauthorized: boolean; ca?: string } {
  return tls.ca === null
    ? { rejectUnauthorized: tls.rejectUnauthorized }
    : { rejectUnauthorized: tls.rejectUnauthorized, ca: tls.ca };
}
