import { hasRaw, type JsonObject } from '../ask/json.ts';
import { indented, type Program } from './wanted.ts';

/** A module for Node 18, Deno, Bun and browsers. */
export const javascript: Program = (wanted) => {
  const isPage = wanted.kind === 'page';
  const headers = [
    ...(isPage ? ['"Content-Type": "application/json"'] : []),
    ...(wanted.hasToken ? ['Authorization: process.env.TOKEN'] : []),
  ];
  const options = [
    ...(wanted.kind === 'page' ? ['method: "POST"'] : []),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(wanted.kind === 'page' ? [`body: ${bodyOf(wanted.params)}`] : []),
  ];
  const sent = options.length === 0 ? '' : `, {\n${options.map((one) => `  ${one},\n`).join('')}}`;
  const fetched = `const response = await fetch(${JSON.stringify(wanted.url)}${sent});\nif (!response.ok) throw new Error(await response.text());`;
  if (isPage)
    return `${fetched}\nconst { result } = await response.json();\nconsole.log(result.total, result.records);`;
  return `${fetched}\nfor await (const part of response.body) process.stdout.write(part);`;
};

/** The body as an expression. If JavaScript would round a number in it, the JSON stays a string literal. */
function bodyOf(params: JsonObject): string {
  if (hasRaw(params)) return JSON.stringify(JSON.stringify(params));
  return `JSON.stringify(${indented(params).replaceAll('\n', '\n  ')})`;
}
