/** Pure. The description of an action → text for people. */
import type { JsonObject } from '../model/value.ts';
import type { AnyAction, Parameter, ParameterType } from './action.ts';

/** What a parameter accepts, in a few words. */
function typeText(type: ParameterType): string {
  if (typeof type === 'object') {
    const words = type.words.map((word) => `\`${word}\``).join(', ');
    return type.orFlag ? `true, false or ${words}` : type.many ? `list of ${words}` : words;
  }
  switch (type) {
    case 'resource':
      return 'id or alias';
    case 'resources':
      return 'id or alias, also several times';
    case 'text':
      return 'text';
    case 'flag':
      return 'true or false';
    case 'count':
      return 'whole number';
    case 'columns':
      return 'list of names';
    case 'sort':
      return 'list of clauses';
    case 'search':
      return 'text or object of texts';
    case 'filters':
      return 'object';
    case 'groups':
      return 'name or object';
    case 'group list':
      return 'list of names and objects';
    case 'measures':
    case 'object':
      return 'object';
    case 'records':
      return 'list of objects';
  }
}

/** The default of a parameter, as code; `''` if it has none. */
function defaultText({ default: value, required }: Parameter): string {
  if (required) return 'required';
  if (value === undefined) return '';
  return typeof value === 'object' ? `\`limits.${value.limit}\`` : `\`${value}\``;
}

/** The parameters as a table in Markdown, for docs/api.md. */
export function table(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return 'No parameters.';
  const rows = parameters.map((one) => [
    one.also === undefined ? `\`${one.name}\`` : `\`${one.name}\`, \`${one.also}\``,
    typeText(one.type),
    defaultText(one),
    one.extension ? `${one.help} *(not in CKAN)*` : one.help,
  ]);
  return [['Parameter', 'Takes', 'Default', 'Meaning'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

/**
 * The documentation of one action: its effect, each parameter, its URL, and a call to copy.
 * @param url the URL of the site, with its base path
 */
export function manual({ about, name, help, parameters, sideEffectFree, example }: AnyAction, url: string): string {
  const address = `${url}/api/3/action/${name}`;
  const described = parameters.map((one) => {
    const also = one.also === undefined ? '' : ` (or \`${one.also}\`)`;
    const value = defaultText(one);
    const facts = [typeText(one.type), value === '' || value === 'required' ? value : `default ${value}`];
    const extension = one.extension ? ' Not in CKAN.' : '';
    return `- \`${one.name}\`${also}: ${facts.filter((fact) => fact !== '').join(', ')}. ${one.help}${extension}`;
  });
  const how =
    about === 'stream'
      ? ['Called by GET with a query string:', `    curl ${address} -GN -d '${queryOf(example)}'`]
      : [
          `Called by ${sideEffectFree ? 'GET with a query string, or by POST' : 'POST'} with a JSON object:`,
          `    curl ${address} -H 'Content-Type: application/json' -d '${JSON.stringify(example)}'`,
        ];
  return [
    help,
    parameters.length === 0 ? 'It takes no parameters.' : `Parameters:\n\n${described.join('\n')}`,
    ...how,
  ].join('\n\n');
}

/** Text parameters as a query string. */
const queryOf = (params: JsonObject): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
