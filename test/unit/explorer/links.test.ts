import { expect, test } from 'vitest';
import { linkOf } from '../../../src/explorer/page/parts/links.ts';

test.each([
  ['https://www.berlin.de/', 'berlin.de'],
  ['http://a.example:8080/x?y=1#z', 'a.example:8080/x?y=1'],
  ['HTTPS://Berlin.de/Pfad', 'berlin.de/Pfad'],
  ['https://bank.example@evil.example/', 'evil.example'],
  ['office@muc.example', 'office@muc.example'],
])('%s is a link that shows %s', (text, shown) => {
  expect(linkOf(text)?.shown).toBe(shown);
});

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)//https://a.example',
  'data:text/html,<script>alert(1)</script>',
  ' javascript:alert(1)',
  'file:///etc/passwd',
  'ftp://a.example',
  '//a.example',
  'www.a.example',
  'https://',
  'see https://a.example',
  'https://a.example b',
  'mailto:a@b.example',
  'a@b',
  `https://a.example/${'x'.repeat(3000)}`,
])('%s is no link', (text) => {
  expect(linkOf(text)).toBeNull();
});
