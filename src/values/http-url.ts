/** The URL of a host and port. An IPv6 address is put in brackets (RFC 3986, 3.2.2). Pure. */
export const urlOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
