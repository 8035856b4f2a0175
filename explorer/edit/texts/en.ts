/** The texts of editing in English. */
import type { Words } from '../../texts/en.ts';

export const en = {
  check: 'Check',
  save: 'Save',
  change: 'Change',
  cancel: 'Cancel',
  default: 'default',
  null: 'null',
  isKey: 'identifies the record',
  isReadOnly: 'cannot be written',
  isLong: 'too long to be changed here',
  notJson: 'This is no JSON.',
  seeFields: 'Nothing is saved: see the fields below.',
  unchanged: 'Nothing is changed.',

  review: 'This will be saved',
  reviewNew: 'This record will be added',
  before: 'before',
  after: 'after',
  byDatabase: 'by the database',
  others: (n: string) => `${n} columns stay as they are`,
  cannotShow: 'What the database will fill in is not shown here.',
  numbering: 'Numbers that the database gives may be others when you save.',
  race: 'The record is read again right before it is written. Only a change within that moment would be overwritten.',
  conflict: (columns: string) =>
    `Somebody has changed ${columns} meanwhile. Nothing is saved. What you have not touched is up to date: check again.`,
  isUnknown: 'No answer has come. If you were saving, look at the records before you try again: it may be done.',
  mayNotWrite: 'You may not write here. Another token may help.',
  manyWithKey: 'Several records have this key, so that none can be changed by itself.',

  remove: 'Delete',
  removeThis: 'Delete this record? This cannot be undone.',

  oneRecord: 'One record',
  paste: 'Paste',
  noKey: 'This table has no key: its records can be added, but not changed here.',

  pasteHere: 'Rows',
  pasteHelp: 'Paste rows of a spreadsheet, CSV, TSV or JSON. The first line has the names of the columns.',
  file: 'or a file',
  held: (size: string) => `${size} characters pasted`,
  clear: 'Clear',
  method: 'What to do',
  methods: { insert: 'Add new records', update: 'Change records by key', upsert: 'Change records by key, add others' },
  emptyCells: 'Empty cells',
  emptyAre: { null: 'are null', default: 'are left out' },
  reading: 'Reading …',
  rows: (shown: string, n: number) => (n === 1 ? '1 record' : `${shown} records`),
  unknownColumns: (names: string) => `This table has no ${names}.`,
  leaveOut: 'Leave these columns out',
  readOnlyColumns: (names: string) => `Left out, because it cannot be written: ${names}.`,
  noColumns: (names: string) => `The first line names no column of this table. Its columns: ${names}.`,
  checked: (records: string) => `Checked: ${records} can be saved.`,
  firstOnly: (records: string) => `The first of ${records}`,
  saveAll: (records: string) => `Save ${records}`,
  savedAll: (records: string) => `Saved: ${records}.`,
  row: (n: string, fields: string, text: string) => `Record ${n}${fields === '' ? '' : `, ${fields}`}: ${text}`,
  nothingSaved: 'Nothing is saved: it is all records or none.',

  tooLarge: (n: string) => `More than ${n} bytes: the gateway takes no more in one call.`,
  tooManyRows: (n: string) => `More than ${n} records: the gateway takes no more in one call.`,
  tooManyCells: (line: string) => `Line ${line} has too many values.`,
  wrongCells: (line: string, has: string, wants: string) =>
    `Line ${line} has ${has} values, and the first line ${wants}.`,
  openQuote: (line: string) => `The quotation mark in line ${line} is not closed.`,
  afterQuote: (line: string) => `In line ${line} a text follows a closing quotation mark.`,
  noObject: (line: string) => `Line ${line}: a JSON object was expected here.`,
  twice: (name: string) => `The first line names ${name} twice.`,
  notUtf8: 'This file is not UTF-8. Save it as “CSV UTF-8”.',
  noRows: 'There are no records in it.',
} as const;

/** Every language has the same texts. */
export type EditTexts = Words<typeof en>;
