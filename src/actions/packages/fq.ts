/** The part of Solr's `fq` that CKAN's harvester sends (docs/ckan-compatibility.md, Packages). Pure. */
import { organizationName } from '../../metadata/ckan.ts';
import { utc } from '../../metadata/times.ts';
import type { Dataset, DatedDataset } from '../../model/metadata.ts';
import { isList } from '../../values/json.ts';
import { show } from '../../values/show.ts';
import type { Params } from '../params.ts';

/** Terms that must all match. A term is a list of clauses, and matches if one of them does. */
export interface Fq {
  /** Whether `matches` needs the dataset's last change. */
  readonly needsChange: boolean;
  matches(dataset: Dataset | DatedDataset): boolean;
}

type Clause =
  | { readonly on: 'everything' }
  | { readonly on: 'organization' | 'groups'; readonly name: string; readonly isExcluded: boolean }
  | { readonly on: 'change'; readonly since: string };

const expected =
  'must be *:*, organization:NAME, groups:NAME, either after -, several of them joined by OR, or metadata_modified:[TIME TO *]';

/** A word, which may have blanks between brackets. The limit of 100 characters keeps matching linear. */
const wordPattern = /[^\s[]*\[[^\]]{0,100}\]|\S+/g;

/** Limited, because each word is compared with each dataset. */
const maxWords = 100;

/** Reads `fq`, a text or a list of texts. Complains about everything else: the harvester then asks for all packages. */
export function readFq(params: Params): Fq {
  const given = params.raw('fq') ?? '';
  const text = (isList(given) ? given : [given]).map((one) => (typeof one === 'string' ? one : show(one))).join(' ');
  const terms: Clause[][] = [];
  let continues = false;
  const words = text.match(wordPattern) ?? [];
  if (words.length > maxWords) params.complain('fq', `must have at most ${maxWords} words, got: ${words.length}`);
  for (const word of words.slice(0, maxWords)) {
    if (word === 'OR' && terms.length > 0 && !continues) {
      continues = true;
      continue;
    }
    const clause = clauseOf(word);
    if (clause === null) {
      params.complain('fq', `${expected}, got: ${show(text)}`);
      break;
    }
    if (continues) terms.at(-1)?.push(clause);
    else terms.push([clause]);
    continues = false;
  }
  if (continues) params.complain('fq', `${expected}, got: ${show(text)}`);
  return {
    needsChange: terms.flat().some(({ on }) => on === 'change'),
    matches: (dataset) => terms.every((clauses) => clauses.some((clause) => isTrue(clause, dataset))),
  };
}

function clauseOf(word: string): Clause | null {
  if (word === '*:*') return { on: 'everything' };
  const [, since] = /^metadata_modified:\[(\S+) TO \*\]$/.exec(word) ?? [];
  const time = since === undefined ? null : utc(since);
  if (time !== null) return { on: 'change', since: time };
  const [, minus, on, name] = /^(-?)(organization|groups):"?([\w-]+)"?$/.exec(word) ?? [];
  if (name === undefined || (on !== 'organization' && on !== 'groups')) return null;
  return { on, name, isExcluded: minus === '-' };
}

/** Whether a dataset matches. A clause on `groups` never does, unless negated: there are no groups. */
function isTrue(clause: Clause, dataset: Dataset | DatedDataset): boolean {
  if (clause.on === 'everything') return true;
  if (clause.on === 'change') return 'modified' in dataset && dataset.modified >= clause.since;
  const { publisher } = dataset.facts;
  const isIn = clause.on === 'organization' && publisher !== null && organizationName(publisher) === clause.name;
  return isIn !== clause.isExcluded;
}
