/**
 * Open data licences, by their SPDX ids. We keep our own list: the SPDX list has 700 licences, most of them for software, and its small
 * packages lack titles and addresses. Any other licence is written as `{ title, url }`. Pure.
 */
import type { Licence } from '../model/metadata.ts';

const cc = (code: string, version: string, title: string, place = ''): readonly [string, string, string] => [
  `CC-${code.toUpperCase()}-${version}${place === '' ? '' : `-${place.toUpperCase()}`}`,
  `Creative Commons ${title} ${version}${place === '' ? '' : ` ${place.toUpperCase()}`}`,
  `https://creativecommons.org/licenses/${code}/${version}/${place === '' ? '' : `${place}/`}`,
];

const all: readonly (readonly [id: string, title: string, url: string])[] = [
  ['CC0-1.0', 'Creative Commons Zero 1.0', 'https://creativecommons.org/publicdomain/zero/1.0/'],
  ['CC-PDDC', 'Creative Commons Public Domain', 'https://creativecommons.org/licenses/publicdomain/'],
  cc('by', '4.0', 'Attribution'),
  cc('by', '3.0', 'Attribution'),
  cc('by', '3.0', 'Attribution', 'at'),
  cc('by', '3.0', 'Attribution', 'de'),
  cc('by', '3.0', 'Attribution', 'nl'),
  cc('by', '2.5', 'Attribution'),
  cc('by', '2.0', 'Attribution'),
  cc('by-sa', '4.0', 'Attribution-ShareAlike'),
  cc('by-sa', '3.0', 'Attribution-ShareAlike'),
  cc('by-sa', '2.5', 'Attribution-ShareAlike'),
  cc('by-sa', '2.0', 'Attribution-ShareAlike'),
  cc('by-nc', '4.0', 'Attribution-NonCommercial'),
  cc('by-nc', '3.0', 'Attribution-NonCommercial'),
  cc('by-nd', '4.0', 'Attribution-NoDerivatives'),
  cc('by-nc-sa', '4.0', 'Attribution-NonCommercial-ShareAlike'),
  cc('by-nc-nd', '4.0', 'Attribution-NonCommercial-NoDerivatives'),
  ['ODbL-1.0', 'Open Data Commons Open Database License 1.0', 'https://opendatacommons.org/licenses/odbl/1-0/'],
  ['ODC-By-1.0', 'Open Data Commons Attribution License 1.0', 'https://opendatacommons.org/licenses/by/1-0/'],
  ['PDDL-1.0', 'Open Data Commons Public Domain Dedication 1.0', 'https://opendatacommons.org/licenses/pddl/1-0/'],
  ['DL-DE-BY-2.0', 'Datenlizenz Deutschland Namensnennung 2.0', 'https://www.govdata.de/dl-de/by-2-0'],
  ['DL-DE-ZERO-2.0', 'Datenlizenz Deutschland Zero 2.0', 'https://www.govdata.de/dl-de/zero-2-0'],
  ['etalab-2.0', 'Licence Ouverte 2.0', 'https://www.etalab.gouv.fr/licence-ouverte-open-licence/'],
  uk('3.0', '3'),
  uk('2.0', '2'),
  uk('1.0', '1'),
  ['OGL-Canada-2.0', 'Open Government Licence Canada 2.0', 'https://open.canada.ca/en/open-government-licence-canada'],
  ['NLOD-2.0', 'Norwegian Licence for Open Government Data 2.0', 'https://data.norge.no/nlod/en/2.0/'],
  ['NLOD-1.0', 'Norwegian Licence for Open Government Data 1.0', 'https://data.norge.no/nlod/en/1.0/'],
  ['CDLA-Permissive-2.0', 'Community Data License Permissive 2.0', 'https://cdla.dev/permissive-2-0/'],
  ['CDLA-Permissive-1.0', 'Community Data License Permissive 1.0', 'https://cdla.dev/permissive-1-0/'],
  ['CDLA-Sharing-1.0', 'Community Data License Sharing 1.0', 'https://cdla.dev/sharing-1-0/'],
];

function uk(version: string, path: string): readonly [string, string, string] {
  const url = `https://www.nationalarchives.gov.uk/doc/open-government-licence/version/${path}/`;
  return [`OGL-UK-${version}`, `Open Government Licence (UK) ${version}`, url];
}

/** The licences by their SPDX ids. */
export const licences: ReadonlyMap<string, Licence> = new Map(all.map(([id, title, url]) => [id, { id, title, url }]));
