/** English texts of the tab About. */
import type { Words } from '../../texts/en.ts';

export const en = {
  what: 'What this is',
  columns: 'Columns',
  column: 'Column',
  kind: 'Kind',
  meaning: 'Meaning',
  refersTo: 'Refers to',
  unit: (kind: string, unit: string) => `${kind}, ${unit}`,
  related: 'Tables that go with it',
  namedBy: (columns: string) => `named by ${columns}`,
  refersBy: (columns: string) => `refers to this table by ${columns}`,
  cite: 'Cite',
  version: (date: string) => `Version of ${date}.`,
  read: (date: string) => `Read on ${date}.`,

  facts: 'Facts',
  dataset: 'Part of',
  publisher: 'Published by',
  licence: 'Licence',
  source: 'Source',
  contact: 'Contact',
  updated: 'Updated',
  updates: {
    continuous: 'all the time',
    daily: 'every day',
    weekly: 'every week',
    monthly: 'every month',
    quarterly: 'every quarter',
    yearly: 'every year',
    irregular: 'irregularly',
  },
  lastChange: (date: string) => `last change ${date}`,
  issued: 'First published',
  covers: 'Covers',
  between: (from: string, to: string) => `${from} to ${to}`,
  today: 'today',
  until: (to: string) => `until ${to}`,
  world: 'the world',
  box: (west: string, south: string, east: string, north: string) =>
    `longitude ${west} to ${east}, latitude ${south} to ${north}`,
  place: 'the place',
  keywords: 'Keywords',
  downloads: 'Downloads of the whole table',
  programs: 'OpenAPI document of this table',
} as const;

/** The texts that every language must have. */
export type AboutTexts = Words<typeof en>;
