/** French texts of the tab Summary. */
import type { Texts } from '../words.ts';

export const summary: Texts['summary'] = {
  what: 'Choisissez quoi compter : tous les enregistrements trouvés seront lus.',
  count: 'Compter cette colonne',
  notCounted: 'pas encore comptée',
  moreColumns: 'Montrer d’autres colonnes',
  values: (shown, n) => (n < 2 ? `${shown} valeur` : `${shown} valeurs`),
  lowest: 'minimum',
  highest: 'maximum',
  first: 'première',
  last: 'dernière',
  noValue: 'sans valeur',
  quarter: (n, year) => `T${n} ${year}`,

  compare: 'Comparer deux colonnes',
  rows: 'Lignes',
  columns: 'Colonnes',
  steps: 'Pas',
  eachValue: 'chaque valeur',
  width: 'Par pas de',
  measure: 'Montrer',
  of: 'de',
  measures: {
    count: 'nombre d’enregistrements',
    sum: 'somme',
    avg: 'moyenne',
    min: 'minimum',
    max: 'maximum',
  },
  run: 'Comparer',
  all: 'total',
  nothing: 'Aucun enregistrement ne correspond.',
  isPart: (n) => `Seuls les plus grands groupes sont montrés : ils réunissent ${n} des enregistrements.`,
  pick: (names) => `${names} seulement`,
};
