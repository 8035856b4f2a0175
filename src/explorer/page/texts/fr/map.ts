/** French texts of the map. */
import type { Texts } from '../words.ts';

export const map: Texts['map'] = {
  map: 'Carte',
  mapHint:
    'Les flèches déplacent la carte, + et − l’agrandissent et la réduisent. La liste à côté contient les mêmes enregistrements.',
  closer: 'Agrandir',
  further: 'Réduire',
  all: 'Tout montrer',
  size: 'Taille',
  oneSize: 'la même pour tous',
  onlyInView: 'Cette zone seulement',
  inView: (records) => `${records} dans cette zone`,
  none: 'Aucun enregistrement dans cette zone.',
  noPlaces: 'Cette table n’a pas de colonnes de longitude et de latitude.',
  firstOnly: (n) => `Seuls ${n} d’entre eux sont dessinés. Agrandissez pour les voir tous.`,
  inCells:
    'Trop nombreux pour les dessiner un à un : des cases montrent combien ils sont. Agrandissez pour les voir séparément.',
  zoomTo: (place) => `Agrandir : ${place}`,
  perCell: 'Enregistrements par case',
  credit: 'Terres : Natural Earth',
  tilesFrom: (host) => `images de ${host}`,
  onMap: (label) => `${label} sur la carte`,
  noLand: 'Le fond de carte n’a pas pu être chargé.',
  north: 'N',
  south: 'S',
  east: 'E',
  west: 'O',
  more: 'Montrer la suite',
};
