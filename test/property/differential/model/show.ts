import { type Cell, isText, type Kind } from '../table.ts';

/** The wire's name of the type: contract 3.4 and 3.10. */
export function typeName(kind: Kind): string {
  switch (kind.is) {
    case 'int':
      return { 16: 'int2', 32: 'int4', 64: 'int8' }[kind.bits];
    case 'double':
      return 'float8';
    case 'boolean':
      return 'bool';
    case 'bytes':
      return 'bytea';
    default:
      return isText(kind) ? 'text' : kind.is;
  }
}

/** The value in JSON. */
export function shown(kind: Kind, cell: Cell): string {
  if (cell === null) return 'null';
  return ['int', 'numeric', 'double', 'boolean'].includes(kind.is)
    ? plain(kind, cell)
    : JSON.stringify(plain(kind, cell));
}

/** The text we show, without JSON's quotes: what `q` looks in. */
export function plain(kind: Kind, cell: string): string {
  switch (kind.is) {
    case 'timestamp':
      return cell.replace(/0{0,3}$/, '');
    case 'time':
      return cell.replace(/\.?0+$/, '');
    case 'bytes':
      return `\\x${cell}`;
    case 'double':
      return double(Number(cell));
    default:
      return cell;
  }
}

/** As PostgreSQL prints the shortest digits: a power from 1e+15 and below 1e-04, of at least two digits. */
function double(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  if (+power < -4 || +power >= 15) return `${digits}e${power.replace(/^([+-])(\d)$/, '$10$2')}`;
  return String(value);
}
