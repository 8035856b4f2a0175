import type { Select, SelectOutput, SelectSource, SqlExpr } from '../../../src/model/select.ts';
import { loadParser } from '../../../src/parse/postgres-parser.ts';
import { readTree } from '../../../src/parse/tree/read-select.ts';

const parse = await loadParser();
/** Reads a text in this thread, and without the checks before the parser. */
export const read = (sql: string): Select => readTree(parse(sql));

/** A SELECT in one line, with parentheses around each part, so that tests can compare it with a short text. */
export function shown(of: Select): string {
  const list = (name: string, values: readonly SqlExpr[]) =>
    values.length === 0 ? '' : ` ${name} ${values.map(value).join(', ')}`;
  const one = (name: string, of: SqlExpr | null) => list(name, of === null ? [] : [of]);
  const sort = of.sort.map((s) => `${value(s.of)}${s.descending ? ' desc' : ''}${s.nullsFirst ? ' nulls first' : ''}`);
  return [
    `${of.distinct ? 'distinct ' : ''}${of.outputs.map(output).join(', ')} from ${source(of.from)}`,
    ...[one('where', of.where), list('group', of.groups), one('having', of.having)],
    sort.length === 0 ? '' : ` sort ${sort.join(', ')}`,
    ...[of.limit === null ? '' : ` limit ${of.limit}`, of.offset === 0 ? '' : ` offset ${of.offset}`],
  ].join('');
}

const output = (of: SelectOutput): string =>
  of.is === 'all' ? `${of.source ?? ''}*` : `${value(of.of)}${of.name === null ? '' : ` as ${of.name}`}`;

function source(of: SelectSource): string {
  if (of.is === 'table') return of.alias === of.name ? of.name : `${of.name} as ${of.alias}`;
  if (of.is === 'query') return `{${shown(of.of)}} as ${of.alias}`;
  return `(${source(of.left)} ${of.keepsLeft ? 'left ' : ''}join ${source(of.right)} on ${value(of.on)})`;
}

export function value(of: SqlExpr): string {
  const all = (values: readonly SqlExpr[], between: string) => values.map(value).join(between);
  switch (of.is) {
    case 'name':
      return of.source === null ? of.name : `${of.source}.${of.name}`;
    case 'number':
      return of.digits;
    case 'text':
      return `'${of.text}'`;
    case 'flag':
      return String(of.value);
    case 'null':
      return 'null';
    case 'and':
    case 'or':
      return `(${all(of.of, ` ${of.is} `)})`;
    case 'not':
    case 'negative':
      return `(${of.is} ${value(of.of)})`;
    case 'nullTest':
      return `(${value(of.of)} is ${of.not ? 'not ' : ''}null)`;
    case 'truthTest':
      return `(${value(of.of)} is ${of.test.not ? 'not ' : ''}${of.test.value ?? 'unknown'})`;
    case 'compare':
    case 'arithmetic':
      return `(${value(of.left)} ${of.op} ${value(of.right)})`;
    case 'join texts':
      return `(${value(of.left)} || ${value(of.right)})`;
    case 'in':
      return `(${value(of.of)} ${of.not ? 'not ' : ''}in ${all(of.list, ', ')})`;
    case 'like':
      return `(${value(of.of)} ${of.not ? 'not ' : ''}${of.folds ? 'ilike' : 'like'} ${value(of.pattern)})`;
    case 'case': {
      const whens = of.whens.map((one) => `when ${value(one.when)} then ${value(one.value)}`);
      return `(case ${whens.join(' ')}${of.otherwise === null ? '' : ` else ${value(of.otherwise)}`})`;
    }
    case 'cast':
      return `${value(of.of)}::${of.to}${of.modifiers.length === 0 ? '' : `(${of.modifiers.join(', ')})`}`;
    case 'call': {
      const args = of.ofAll ? '*' : `${of.distinct ? 'distinct ' : ''}${all(of.args, ', ')}`;
      return `${of.fn}(${args})${of.filter === null ? '' : ` filter ${value(of.filter)}`}`;
    }
    case 'now':
      return `now ${of.shows}`;
    case 'interval':
      return `interval ${of.months} ${of.seconds}`;
    case 'query':
      return `{${shown(of.of)}}`;
  }
}
