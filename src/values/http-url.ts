/** The URL of a host and port. An IPv6 address is put in brackets (RFC 3986, 3.2.2). Pure. */
export const urlOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Whether nobody in between can read or change what we fetch from this URL: https, or http within this computer. */
export function isPrivateOnTheWay(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password, hash } = new URL(url);
  if (username + password + hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
}
