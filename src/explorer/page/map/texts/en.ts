/** English texts of the map. */
import type { Words } from '../../texts/en.ts';

export const en = {
  map: 'Map',
  mapHint: 'Arrow keys move the map, + and − zoom. The list beside it has the same records.',
  closer: 'Zoom in',
  further: 'Zoom out',
  all: 'Show all',
  size: 'Size',
  oneSize: 'the same for all',
  onlyInView: 'Only what is in view',
  inView: (records: string) => `${records} in view`,
  none: 'No record in view.',
  noPlaces: 'This table has no columns of longitude and latitude.',
  firstOnly: (n: string) => `Only ${n} of them are drawn. Zoom in to see all.`,
  inCells: 'Too many to draw each: cells show how many there are. Zoom in to see them one by one.',
  zoomTo: (place: string) => `Zoom to ${place}`,
  perCell: 'Records in a cell',
  credit: 'Land: Natural Earth',
  noLand: 'The land could not be loaded.',
  north: 'N',
  south: 'S',
  east: 'E',
  west: 'W',
  more: 'Show more',
} as const;

/** The texts that every language must have. */
export type MapTexts = Words<typeof en>;
