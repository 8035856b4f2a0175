/** The client's address: the peer's, or the address that trusted proxies report in `X-Forwarded-For`. */
import { BlockList, isIP } from 'node:net';
import type { Client } from '../model/http.ts';
import type { Headers } from './caller.ts';

/** Which peers' `X-Forwarded-*` headers we trust. `once`: we trust only our direct peer, and no proxy in front of it. */
export interface Trust {
  readonly once: boolean;
  trusts(address: string): boolean;
}

/** @param setting `server.trustProxy`: false trusts no peer, true trusts any peer, a list trusts its addresses and networks */
export function trusting(setting: boolean | readonly string[]): Trust {
  if (typeof setting === 'boolean') return { once: true, trusts: () => setting };
  const list = new BlockList();
  for (const entry of setting) {
    const [address = '', bits] = entry.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return { once: false, trusts: (address) => list.check(address, address.includes(':') ? 'ipv6' : 'ipv4') };
}

/**
 * Finds the client behind the peer: walks `X-Forwarded-For` from its last entry back to the first untrusted address. Earlier
 * entries may have been invented by the client.
 * @param remote the address of the peer
 * @param headers by lower-case name
 */
export function clientOf(remote: string, headers: Headers, trust: Trust): Client {
  const peer = plain(remote);
  const hostHeader = joined(headers.host);
  if (peer === '' || !trust.trusts(peer)) {
    return { address: peer, proto: 'http', host: hostHeader, chain: peer, isTrusted: false };
  }
  const forwardedFor = entriesOf(headers['x-forwarded-for']);
  let address = peer;
  let hops = 0;
  while (hops < forwardedFor.length && (hops === 0 || (!trust.once && trust.trusts(address)))) {
    const next = plain(forwardedFor[forwardedFor.length - 1 - hops] ?? '');
    if (isIP(next) === 0) break;
    address = next;
    hops += 1;
  }
  // Each proxy appends to every `X-Forwarded-*` list or replaces it, so take the entry at the client address's position, counted from the
  // end.
  const forwardedValue = (name: string) => {
    const list = entriesOf(headers[name]);
    return list[Math.max(0, list.length - Math.max(1, hops))] ?? '';
  };
  const host = forwardedValue('x-forwarded-host');
  return {
    address,
    proto: forwardedValue('x-forwarded-proto').toLowerCase() === 'https' ? 'https' : 'http',
    host: /^[\w.:[\]-]+$/.test(host) ? host : hostHeader,
    chain: [...forwardedFor, peer].join(', '),
    isTrusted: true,
  };
}

/**
 * Strips the port that some proxies add, and brackets. A socket may report IPv4 as `::ffff:1.2.3.4`: the result is plain
 * `1.2.3.4`.
 */
function plain(address: string): string {
  if (!/[[:]/.test(address)) return address;
  const bare = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1');
  return bare.replace(/^::ffff:(?=[\d.]+$)/i, '');
}

function entriesOf(header: string | readonly string[] | undefined): readonly string[] {
  return joined(header)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function joined(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' ? header : (header?.join(',') ?? '');
}
