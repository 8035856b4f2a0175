import type { ComponentChildren } from 'preact';
import { Name } from '../parts/value.tsx';
import { aboutWords as words } from '../texts/index.ts';
import { shownDay } from './dates.ts';
import type { Area, Facts, Party as PartyFacts } from './facts.ts';
import { webUrl } from './web-url.ts';

/** The publisher, the licence and the other facts from the configuration. */
export function FactList({ facts }: { readonly facts: Facts }) {
  const { dataset, publisher, licence, source, contact, updates, lastChange, issued, keywords } = facts;
  const updated = [updateWord(updates), lastChange === '' ? '' : words.lastChange(shownDay(lastChange))];
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    [words.dataset, dataset && <Name of={dataset.title} />],
    [words.publisher, publisher && <Party of={publisher} />],
    [words.licence, licence && <Party of={licence} />],
    [words.source, source && <Party of={source} />],
    [words.contact, contact && <Party of={contact} />],
    [words.updated, updated.filter((one) => one !== '').join('; ')],
    [words.issued, shownDay(issued)],
    [words.covers, <Covers key="covers" {...facts} />],
    [words.keywords, keywords.length > 0 && <Keywords of={keywords} />],
  ];
  const hasCover = facts.period !== null || facts.area !== null;
  const shown = rows.filter(([name, value]) => Boolean(value) && (name !== words.covers || hasCover));
  if (shown.length === 0) return null;
  return (
    <dl class="box" aria-label={words.facts}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const updateWord = (updates: string): string =>
  Object.entries(words.updates).find(([name]) => name === updates)?.[1] ?? updates;

/** A person, organization or other party, as a link if there is an address. */
function Party({ of: { title, url, email } }: { readonly of: PartyFacts }) {
  const [web, mail] = [webUrl(url), webUrl(`mailto:${email}`)];
  return (
    <>
      {title !== '' && (web === null ? <Name of={title} /> : <Link to={web} says={title} />)}
      {title === '' && web !== null && <Link to={web} says={url} />}
      {title !== '' && email !== '' && <br />}
      {email !== '' && mail !== null && <a href={mail}>{email}</a>}
    </>
  );
}

function Link({ to, says }: { readonly to: string; readonly says: string }) {
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      <Name of={says} />
    </a>
  );
}

function Covers({ period, area }: Pick<Facts, 'period' | 'area'>) {
  return (
    <>
      {period !== null && periodWords(period)}
      {period !== null && area !== null && <br />}
      {area !== null && <AreaWords of={area} />}
    </>
  );
}

function periodWords({ from, to }: { readonly from: string; readonly to: string }): string {
  if (from === '') return words.until(shownDay(to));
  return words.between(shownDay(from), to === '' ? words.today : shownDay(to));
}

function AreaWords({ of: { box, place } }: { readonly of: Area }) {
  const url = webUrl(place);
  const isWorld = box?.join(' ') === '-180 -90 180 90';
  const says = box === null ? words.place : isWorld ? words.world : words.box(...box);
  return url === null ? says : <Link to={url} says={says} />;
}

function Keywords({ of }: { readonly of: readonly string[] }) {
  return (
    <ul class="tags">
      {of.map((one) => (
        <li key={one}>
          <Name of={one} />
        </li>
      ))}
    </ul>
  );
}
