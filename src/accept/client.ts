/** The client's address: that of the peer, or the one that trusted proxies report. */
import { BlockList, isIP } from 'node:net';
import type { Client } from '../model/http.ts';
import type { Headers } from './caller.ts';

/** Whether a peer's `X-Forwarded-*` headers are trusted. `once`: any peer is trusted, but no hop before it. */
export interface Trust {
  readonly once: boolean;
  trusts(address: string): boolean;
}

/** @param setting `server.trustProxy`: no peer, any peer, or these addresses and networks */
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
 * Finds the client behind the peer: from the last entry of `X-Forwarded-For` back to the first untrusted one. The client itself
 * may have written the entries before that.
 * @param remote the address of the peer
 * @param headers by lower-case name
 */
export function clientOf(remote: string, headers: Headers, trust: Trust): Client {
  const peer = plain(remote);
  const asked = one(headers.host);
  if (peer === '' || !trust.trusts(peer)) {
    return { address: peer, proto: 'http', host: asked, chain: peer, isTrusted: false };
  }
  const before = listed(headers['x-forwarded-for']);
  let address = peer;
  let hops = 0;
  while (hops < before.length && (hops === 0 || (!trust.once && trust.trusts(address)))) {
    const next = plain(before[before.length - 1 - hops] ?? '');
    if (isIP(next) === 0) break;
    address = next;
    hops += 1;
  }
  // Each proxy appends to all of these lists or replaces them. So the client's values have the same distance from the end.
  const said = (name: string) => {
    const list = listed(headers[name]);
    return list[Math.max(0, list.length - Math.max(1, hops))] ?? '';
  };
  const host = said('x-forwarded-host');
  return {
    address,
    proto: said('x-forwarded-proto').toLowerCase() === 'https' ? 'https' : 'http',
    host: /^[\w.:[\]-]+$/.test(host) ? host : asked,
    chain: [...before, peer].join(', '),
    isTrusted: true,
  };
}

/**
 * An address without a port, as some proxies add it, and without brackets. A socket reports IPv4 as `::ffff:1.2.3.4`; it
 * becomes plain IPv4.
 */
function plain(address: string): string {
  if (!/[[:]/.test(address)) return address;
  const bare = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1');
  return bare.replace(/^::ffff:(?=[\d.]+$)/i, '');
}

function listed(header: string | readonly string[] | undefined): readonly string[] {
  return one(header)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function one(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' ? header : (header?.join(',') ?? '');
}
