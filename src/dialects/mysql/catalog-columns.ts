/** Reads columns from the rows of information_schema.COLUMNS. */
import type { Server } from '../../model/catalog.ts';
import type { Column } from '../../model/table.ts';
import type { Cell } from '../../model/value.ts';
import { text } from '../cells.ts';
import { resultType, typeOf } from './types.ts';

/** A CHECK that makes a LONGTEXT a JSON column, as the servers print it. The capture group is the column's name. */
const isJson = /^json_valid\(`([\s\S]*)`\)$/i;
const isFlag = /^\(?`((?:[^`]|``)*)` (?:in \(0, ?1\)|in \(1, ?0\)|between 0 and 1)\)?$/i;

const numberOf = (cell: Cell | undefined): number | null => (cell === null || cell === undefined ? null : Number(cell));

/** @param checks rows of CHECK constraints; the third cell is the clause */
export function columnsOf(
  rows: readonly (readonly Cell[])[],
  checks: readonly (readonly Cell[])[],
  server: Server,
): readonly Column[] {
  const checkedBy = (check: RegExp) => checks.map((row) => check.exec(text(row[2]))?.[1]?.replace(/``/g, '`'));
  const [jsons, flags] = [checkedBy(isJson), checkedBy(isFlag)];
  return rows.map((row) => ({
    ...column(row, jsons.includes(text(row[2])), server),
    ...(flags.includes(text(row[2])) ? { checkedFlag: true } : {}),
  }));
}

function column(
  row: readonly Cell[],
  holdsJson: boolean,
  { product, version: [major = 0, minor = 0] }: Server,
): Column {
  const [, , name, data, full, characters, precision, scale, fraction, charset, collation, nullable, extra] = row;
  const type = typeOf({
    data: text(data).toLowerCase(),
    full: text(full),
    characters: numberOf(characters),
    precision: numberOf(precision),
    scale: numberOf(scale),
    fraction: numberOf(fraction) ?? 0,
    isJson: holdsJson,
    normalizes: product === 'mariadb' && (major > 10 || (major === 10 && minor >= 7)),
    lastSecond: product === 'mariadb',
  });
  const isText = type.kind === 'text' || type.kind === 'choice';
  return {
    name: text(name),
    label: text(name),
    type,
    resultType: resultType(text(data).toLowerCase(), type),
    native: text(full),
    declared: text(full),
    nullable: text(nullable) === 'YES',
    ...(/auto_increment/i.test(text(extra)) ? { autoIncrement: true } : {}),
    ...(/\bINVISIBLE\b/i.test(text(extra)) ? { invisible: true } : {}),
    readOnly: /\b(VIRTUAL|STORED|PERSISTENT)\b/i.test(text(extra)) || (type.kind === 'opaque' && !type.comparable),
    collation: isText && collation !== null ? text(collation) : null,
    charset: isText && charset !== null ? text(charset) : null,
    equality: isText ? 'folds' : 'exact',
    info: null,
  };
}

/** Whether the default, such as uuid(), differs for each record. MariaDB prints all defaults as expressions; MySQL marks expressions. */
export function isNumbered(row: readonly Cell[], product: Server['product']): boolean {
  const [extra, preset] = [text(row[12]), text(row[14])];
  if (/auto_increment/i.test(extra)) return true;
  const isExpression = product === 'mariadb' ? !preset.startsWith("'") : /DEFAULT_GENERATED/.test(extra);
  return isExpression && preset.includes('(') && !/^(current_timestamp|now)\(\d*\)$/i.test(preset);
}

/** Whether an INSERT must give the column a value. */
export const isRequired = (row: readonly Cell[]): boolean =>
  text(row[11]) === 'NO' && row[14] === null && !/auto_increment|virtual|stored|persistent/i.test(text(row[12]));
