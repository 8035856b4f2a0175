/** German texts of the map. */
import type { Texts } from '../words.ts';

export const map: Texts['map'] = {
  map: 'Karte',
  mapHint:
    'Pfeiltasten verschieben die Karte, + und − vergrößern und verkleinern. Die Liste daneben hat dieselben Datensätze.',
  closer: 'Vergrößern',
  further: 'Verkleinern',
  all: 'Alle zeigen',
  size: 'Größe',
  oneSize: 'für alle gleich',
  onlyInView: 'Nur der Ausschnitt',
  inView: (records) => `${records} im Ausschnitt`,
  none: 'Kein Datensatz im Ausschnitt.',
  noPlaces: 'Diese Tabelle hat keine Spalten für Längen- und Breitengrad.',
  firstOnly: (n) => `Nur ${n} davon sind gezeichnet. Vergrößern Sie, um alle zu sehen.`,
  inCells: 'Zu viele, um jeden zu zeichnen: Felder zeigen, wie viele es sind. Vergrößern Sie, um sie einzeln zu sehen.',
  zoomTo: (place) => `Vergrößern: ${place}`,
  perCell: 'Datensätze in einem Feld',
  credit: 'Land: Natural Earth',
  tilesFrom: (host) => `Bilder von ${host}`,
  onMap: (label) => `${label} auf der Karte`,
  noLand: 'Das Land konnte nicht geladen werden.',
  north: 'N',
  south: 'S',
  east: 'O',
  west: 'W',
  more: 'Mehr zeigen',
};
