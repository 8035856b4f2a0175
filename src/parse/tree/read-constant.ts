/** Constants. Pure. */
import { type SqlExpr, SqlFault } from '../../model/select.ts';
import type { TreeNode } from './tree-node.ts';

/** MySQL's DECIMAL has at most this many digits. */
const maxDigits = 65;
const maxFraction = 30;

/** Reads a constant. @throws SqlFault for a number with too many digits */
export function readConstant(node: TreeNode): SqlExpr {
  const { at } = node;
  if (node.flag('isnull')) return { is: 'null', at };
  if (node.has('ival')) return { is: 'number', at, digits: String(node.constant('ival') ?? 0) };
  if (node.has('fval')) return readDigits(String(node.constant('fval')), at);
  if (node.has('sval')) return { is: 'text', at, text: String(node.constant('sval') ?? '') };
  if (node.has('boolval')) return { is: 'flag', at, value: node.constant('boolval') === true };
  throw new SqlFault('this constant is not supported', at);
}

/** `1e3` and `2.` are not integers: `7 / 2.` is 3.5, while `7 / 2` is 3. But their digits have no point, so we add a cast. */
function readDigits(text: string, at: number): SqlExpr {
  const number = { is: 'number', at, digits: digitsOf(text, at) } as const;
  const isNumeric = /^-?(?!0[xob])[\d_]*[.e]/i.test(text);
  if (!isNumeric || number.digits.includes('.')) return number;
  return { is: 'cast', at, to: 'numeric', modifiers: [number.digits.replace('-', '').length, 0], of: number };
}

/** Reads `-x`. If `x` is a constant, the result is a negative constant. */
export function negated(of: SqlExpr, at: number): SqlExpr {
  if (of.is === 'number')
    return { ...of, at, digits: of.digits.startsWith('-') ? of.digits.slice(1) : `-${of.digits}` };
  // `0 - x` instead of `-x`, because for 0 it gives 0 and not -0.
  if (of.is === 'interval') return { ...of, at, months: 0 - of.months, seconds: 0 - of.seconds };
  return { is: 'negative', at, of };
}

/**
 * A number's digits, without exponent, underscores or leading zeros.
 * @param text as in SQL, such as `1.5e3`, `1_000.5` or `0xFFFFFFFFFF`, perhaps with a minus
 * @throws SqlFault for more than 65 digits, or more than 30 after the point
 */
export function digitsOf(text: string, at: number): string {
  const plain = text.replaceAll('_', '');
  const tooLong = new SqlFault(
    `a number must have at most ${maxDigits} digits, and ${maxFraction} behind the point`,
    at,
  );
  const [, minus = '', prefixed] = /^(-?)(0[xob][0-9a-f]+)$/i.exec(plain) ?? [];
  if (prefixed !== undefined) {
    const digits = BigInt(prefixed).toString();
    if (digits.length > maxDigits) throw tooLong;
    return minus + digits;
  }
  const match = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(plain);
  if (match === null) throw new SqlFault('this number is not supported', at);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  // Checked before we write out the exponent's zeros: `1e999999999` must not become a gigabyte.
  const point = whole.length + Number(exponent);
  if (Math.abs(point) > 2 * maxDigits + whole.length) throw tooLong;
  const all = (whole + fraction).padEnd(point, '0').padStart((whole + fraction).length - Math.min(0, point), '0');
  const before = all.slice(0, Math.max(0, point)).replace(/^0+(?=.)/, '') || '0';
  const behind = all.slice(Math.max(0, point));
  if (before.length + behind.length > maxDigits || behind.length > maxFraction) throw tooLong;
  return `${sign}${before}${behind === '' ? '' : `.${behind}`}`;
}
