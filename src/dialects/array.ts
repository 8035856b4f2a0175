import type { Encoder } from '../rows.ts';

/** PostgreSQL's array text, such as `{1,NULL,"a\"b"}` or `[0:1]={1,2}`, nested too → a compact JSON array. */
export function parseArray(literal: string, element: Encoder): string {
  let at = literal.startsWith('[') ? literal.indexOf('=') + 1 : 0;

  function list(): string {
    const items: string[] = [];
    at++; // the opening brace
    while (at < literal.length && literal[at] !== '}') {
      items.push(item());
      if (literal[at] === ',') at++;
    }
    at++; // the closing brace
    return `[${items.join(',')}]`;
  }

  function item(): string {
    if (literal[at] === '{') return list();
    if (literal[at] !== '"') {
      const start = at;
      while (at < literal.length && literal[at] !== ',' && literal[at] !== '}') at++;
      const bare = literal.slice(start, at);
      return bare === 'NULL' ? 'null' : element.json(bare);
    }
    let text = '';
    for (at++; literal[at] !== '"' && at < literal.length; at++) {
      if (literal[at] === '\\') at++;
      text += literal[at] ?? '';
    }
    at++; // the closing quote
    return element.json(text);
  }

  return list();
}
