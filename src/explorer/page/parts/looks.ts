/** How a column looks to the user: its icon, the text in its header, and how its values are written. */
import type { Column } from '../ask/columns.ts';
import type { Table } from '../ask/table.ts';
import { say } from '../texts/index.ts';
import type { IconName } from './icon.tsx';

export interface Look {
  readonly icon: IconName;
  /** The name of the values' kind. */
  readonly kind: string;
  /** The header's second line: the unit, the referenced table, or the kind. */
  readonly says: string;
  /** Whether digits are grouped. Years, keys and foreign keys are names, not amounts. */
  readonly isGrouped: boolean;
}

/** @param hasLinks whether the column's values are web or mail addresses */
export function lookOf(column: Column, table: Table, hasLinks = false): Look {
  const { name, unit } = column;
  const reference = table.references.find(({ fields }) => fields.includes(name));
  const isNamed = table.referencedBy.some(({ to }) => to.includes(name)) || isName(column);
  const kind = kindOf(column, table, hasLinks);
  const [icon, words] = kinds(column)[kind];
  return {
    icon,
    kind: words,
    says: unit !== '' ? unit : reference !== undefined ? say.refersTo(reference.title) : words,
    isGrouped: column.kind === 'number' && !isNamed && kind !== 'key' && kind !== 'reference',
  };
}

type KindName = ReturnType<typeof kindOf>;

function kindOf({ name, type, kind }: Column, { key, references, coordinates }: Table, hasLinks: boolean) {
  if (key.includes(name)) return 'key';
  if (references.some(({ fields }) => fields.includes(name))) return 'reference';
  if (coordinates?.includes(name)) return 'coordinates';
  if (kind === 'number') return /^int/.test(type) ? 'wholeNumber' : 'number';
  if (kind === 'time') return type === 'date' ? 'date' : 'dateTime';
  if (kind === 'bool') return 'yesNo';
  if (kind === 'text') return hasLinks ? 'link' : 'text';
  return type.startsWith('_') ? 'list' : kind === 'other' ? 'document' : 'other';
}

const kinds = ({ type }: Column): Readonly<Record<KindName, readonly [IconName, string]>> => ({
  key: ['key', say.kinds.key],
  reference: ['reference', say.kinds.reference],
  coordinates: ['place', say.kinds.coordinates],
  wholeNumber: ['number', say.kinds.wholeNumber],
  number: ['number', say.kinds.number],
  date: ['time', say.kinds.date],
  dateTime: ['time', type === 'timestamptz' ? say.kinds.dateTimeUtc : say.kinds.dateTime],
  yesNo: ['yes', say.kinds.yesNo],
  link: ['link', say.kinds.link],
  text: ['text', say.kinds.text],
  list: ['list', say.kinds.list],
  document: ['document', say.kinds.document],
  other: ['text', type],
});

/** Whether a number names something: a year, a code, a permit number. */
const isName = ({ name, label }: Column): boolean =>
  [name, label].some((one) => /year|jahr|(?:^|[_\s])(?:id|no|nr|code|zip|plz)\.?$/i.test(one));
