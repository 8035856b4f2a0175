/** Pure. What the contract of an action says → text for people. */
import type { Parameter, ParameterType } from './action.ts';

/** What a parameter takes, in a few words. */
export function takes(type: ParameterType): string {
  if (typeof type === 'object') {
    const words = type.words.map((word) => `\`${word}\``).join(', ');
    return type.orFlag ? `true, false or ${words}` : words;
  }
  switch (type) {
    case 'resource':
      return 'id or alias';
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
    case 'records':
      return 'list of objects';
  }
}

/** What holds without the parameter, as code; '' where nothing does. */
export function preset({ default: value, required }: Parameter): string {
  if (required) return 'required';
  if (value === undefined) return '';
  return typeof value === 'object' ? `\`limits.${value.limit}\`` : `\`${value}\``;
}

/** The parameters as a table in Markdown, as README shows it. */
export function table(parameters: readonly Parameter[]): string {
  const rows = parameters.map((one) => [
    one.also === undefined ? `\`${one.name}\`` : `\`${one.name}\`, \`${one.also}\``,
    takes(one.type),
    preset(one),
    one.extension ? `${one.help} *(not in CKAN)*` : one.help,
  ]);
  return [['Parameter', 'Takes', 'Default', 'Meaning'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
