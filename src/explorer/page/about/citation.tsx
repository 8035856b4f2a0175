import { tableUrl } from '../ask/site.ts';
import { Copy } from '../parts/copy.tsx';
import { aboutWords as words } from '../texts/index.ts';
import { shownDay, today } from './dates.ts';
import type { Facts } from './facts.ts';

interface CitationProps {
  readonly id: string;
  readonly title: string;
  readonly facts: Facts;
}

/** How to cite the table as a source. */
export function Citation({ id, title, facts: { publisher, lastChange } }: CitationProps) {
  const who = publisher === null ? '' : `${publisher.title}: `;
  const when = lastChange === '' ? words.read(today()) : words.version(shownDay(lastChange));
  const cited = `${who}${title}. ${when} ${new URL(tableUrl(id), location.href).href}`;
  return (
    <section>
      <h2>{words.cite}</h2>
      <p class="citation" dir="auto">
        {cited}
      </p>
      <Copy text={() => cited} />
    </section>
  );
}
