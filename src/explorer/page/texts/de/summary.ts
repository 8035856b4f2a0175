/** German texts of the tab Summary. */
import type { Texts } from '../words.ts';

export const summary: Texts['summary'] = {
  what: 'Wählen Sie, was gezählt wird: Das liest alle passenden Datensätze.',
  count: 'Diese Spalte zählen',
  notCounted: 'noch nicht gezählt',
  moreColumns: 'Mehr Spalten zeigen',
  values: (shown, n) => (n === 1 ? '1 Wert' : `${shown} Werte`),
  lowest: 'kleinster',
  highest: 'größter',
  first: 'erster',
  last: 'letzter',
  noValue: 'kein Wert',
  quarter: (n, year) => `${n}. Quartal ${year}`,

  compare: 'Zwei Spalten vergleichen',
  rows: 'Zeilen',
  columns: 'Spalten',
  steps: 'Schritte',
  eachValue: 'jeder Wert',
  width: 'Schritte von',
  measure: 'Zeigen',
  of: 'von',
  measures: { count: 'Zahl der Datensätze', sum: 'Summe', avg: 'Durchschnitt', min: 'kleinster', max: 'größter' },
  run: 'Vergleichen',
  all: 'alle',
  nothing: 'Kein Datensatz passt.',
  isPart: (n) => `Nur die größten Gruppen sind zu sehen: Sie haben ${n} der Datensätze.`,
  pick: (names) => `Nur ${names}`,
};
