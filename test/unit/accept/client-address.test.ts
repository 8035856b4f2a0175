import { expect, test } from 'vitest';
import { clientOf, trusting } from '../../../src/accept/client.ts';

const ours = trusting(['10.0.0.0/8', '192.0.2.7', '::1', 'fd00::/8']);

test.each([
  ['a stranger', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
  ['a proxy of ours', '10.0.0.1', '1.1.1.1', '1.1.1.1'],
  ['two of them', '10.0.0.1', '1.1.1.1, 10.2.3.4', '1.1.1.1'],
  ['a claim before a stranger', '10.0.0.1', '9.9.9.9, 1.1.1.1', '1.1.1.1'],
  ['a claim of being ours', '10.0.0.1', '10.9.9.9, 1.1.1.1', '1.1.1.1'],
  ['nobody but ours', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['no list', '10.0.0.1', undefined, '10.0.0.1'],
  ['no address', '10.0.0.1', '1.1.1.1, unknown', '10.0.0.1'],
  ['a list of nothing', '10.0.0.1', ' , ,', '10.0.0.1'],
  ['an address with its port', '192.0.2.7', '1.1.1.1:5678', '1.1.1.1'],
  ['IPv6 with its port', '::1', '[2001:db8::1]:443', '2001:db8::1'],
  ['IPv6', 'fd00::3', '2001:db8::1', '2001:db8::1'],
  ['IPv4 in IPv6', '::ffff:10.0.0.1', '::ffff:1.1.1.1', '1.1.1.1'],
  ['one who has left', '', '1.1.1.1', ''],
])('%s', (_, remote, list, expected) => {
  expect(clientOf(remote, { 'x-forwarded-for': list, host: 'h' }, ours).address).toBe(expected);
});

test('a gateway that trusts every peer takes the address of the peer itself', () => {
  const { address } = clientOf('203.0.113.9', { 'x-forwarded-for': '9.9.9.9, 1.1.1.1' }, trusting(true));
  expect(address).toBe('1.1.1.1');
});

test('the scheme and the host are those of the same hop as the address', () => {
  const headers = {
    host: 'inner',
    'x-forwarded-for': '9.9.9.9, 1.1.1.1, 10.0.0.2',
    'x-forwarded-proto': 'http, https, http',
    'x-forwarded-host': 'claimed, site.example:8443',
  };
  expect(clientOf('10.0.0.1', headers, ours)).toEqual({
    address: '1.1.1.1',
    proto: 'https',
    host: 'claimed',
    chain: '9.9.9.9, 1.1.1.1, 10.0.0.2, 10.0.0.1',
    isTrusted: true,
  });
});

test('a host that is none, and a scheme that is none, are not passed on', () => {
  const headers = { host: 'inner', 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'a b<script>' };
  expect(clientOf('10.0.0.1', headers, ours)).toMatchObject({ proto: 'http', host: 'inner' });
});
