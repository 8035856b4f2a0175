import { describe, expect, test } from 'vitest';
import { type Prose, proseOf } from '../../../src/explorer/page/about/prose.ts';

/** The tree in a short notation: `p(text strong(b))`; a link is `a[href](text)`. */
function shown(prose: Prose): string {
  if (typeof prose === 'string') return JSON.stringify(prose);
  const { tag, children, href, start, isNumber } = prose;
  const [link, first, end] = [href && `[${href}]`, start && `[${start}]`, isNumber && '[number]'];
  return `${tag}${link || first || end || ''}(${children.map(shown).join(' ')})`;
}
const read = (markdown: string): string => proseOf(markdown).map(shown).join(' ');

describe('what people write in descriptions', () => {
  test.each([
    [
      'All places with **1,000 people**, *more* `or` ~~less~~.',
      'p("All places with " strong("1,000 people") ", " em("more") " " code("or") " " del("less") ".")',
    ],
    ['one  \ntwo\nthree', 'p("one" br() "two\\nthree")'],
    ['a_b_c, 2 * 3 * 4', 'p("a_b_c, 2 * 3 * 4")'],
    ['- one\n- [x] two\n\n3. three', 'ul(li("one") li("☑ " "two")) ol[3](li("three"))'],
    ['> quoted', 'blockquote(p("quoted"))'],
    ['```sql\nSELECT 1 < 2\n```', 'pre(code("SELECT 1 < 2"))'],
    ['a\n\n---\n\nb', 'p("a") hr() p("b")'],
    ['|a|b|\n|-|-:|\n|1|2|', 'table(thead(tr(th("a") th[number]("b"))) tbody(tr(td("1") td[number]("2"))))'],
    ['Caf&eacute; &amp; &#8364; &#x20AC; \\*', 'p("Caf&eacute; & € € " "*")'],
    ['', ''],
  ])('%j', (markdown, tree) => {
    expect(read(markdown)).toBe(tree);
  });

  test('headings go down from the second level in steps of one', () => {
    expect(read('# a\n### b\n# c\n##### d')).toBe('h3("a") h4("b") h3("c") h4("d")');
    expect(read('### a\n# b')).toBe('h3("a") h3("b")');
  });
});

describe('links', () => {
  test.each([
    ['[a](https://example.org/x)', 'p(a[https://example.org/x]("a"))'],
    ['https://example.org/x', 'p(a[https://example.org/x]("https://example.org/x"))'],
    ['statistics@example.org', 'p(a[mailto:statistics@example.org]("statistics@example.org"))'],
    ['![a map](https://example.org/map.png)', 'p(a[https://example.org/map.png]("a map"))'],
    ['[a][1]\n\n[1]: https://example.org/', 'p(a[https://example.org/]("a"))'],
  ])('%j', (markdown, tree) => {
    expect(read(markdown)).toBe(tree);
  });

  test.each([
    '[x](javascript:alert(7))',
    '[x](JaVaScript:alert)',
    '[x](data:text/html,x)',
    '[x](vbscript:x)',
    '[x](/datastore)',
    '[x](//example.org)',
    '![x](javascript:alert)',
    '![x](data:image/svg+xml,x)',
    '<javascript:alert(1)>',
  ])('as it is written: %s', (markdown) => {
    expect(proseOf(markdown)).toEqual([{ tag: 'p', children: [markdown] }]);
  });
});

test('raw HTML is text, wherever it is', () => {
  const html = '<img src=x onerror=alert(1)>';
  for (const markdown of [
    html,
    `a ${html} b`,
    `- ${html}`,
    `|${html}|\n|-|\n|x|`,
    `> ${html}`,
    `# ${html}`,
    `**${html}**`,
    `[${html}](https://x.org)`,
  ])
    expect(JSON.stringify(proseOf(markdown))).toContain(html);
  expect(read(`<div>\n<script>alert(1)</script>\n</div>`)).toBe('p("<div>\\n<script>alert(1)</script>\\n</div>")');
});
