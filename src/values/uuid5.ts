import { hash } from 'node:crypto';

/** The namespace of names that are URLs (RFC 9562 6.6). */
export const urlNamespace = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

/** A name's version 5 UUID (RFC 9562 5.5), which is the same on every machine. @param namespace a UUID */
export function uuid5(namespace: string, name: string): string {
  const digits = hash('sha1', Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name)]));
  const variant = (Number.parseInt(digits.charAt(16), 16) & 3) | 8;
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `5${digits.slice(13, 16)}`];
  return [...parts, `${variant.toString(16)}${digits.slice(17, 20)}`, digits.slice(20, 32)].join('-');
}
