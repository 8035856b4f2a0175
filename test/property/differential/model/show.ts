import { type Cell, isText, type Kind } from '../table.ts';

/** The API's name of the type. */
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

/** The value as JSON. */
export function shown(kind: Kind, cell: Cell): string {
  if (cell === null) return 'null';
  return ['int', 'numeric', 'double', 'boolean'].includes(kind.is)
    ? plain(kind, cell)
    : JSON.stringify(plain(kind, cell));
}

/** The text of a value, without JSON's quotes. `q` searches in this text. */
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

/** As PostgreSQL prints a double: the shortest digits, with an exponent of at least two digits from 1e+15 and below 1e-04. */
function double(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  if (+power < -4 || +power >= 15) return `${digits}e${power.replace(/^([+-])(\d)$/, '$10$2')}`;
  return String(value);
}
