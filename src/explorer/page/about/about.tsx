/** The tab About: what the table and its columns mean, who publishes it, and how to get and to cite it. */
import { catalogUrl, openApiUrl, site } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { say, aboutWords as words } from '../texts/index.ts';
import { Citation } from './citation.tsx';
import { Dictionary } from './dictionary.tsx';
import { Downloads } from './downloads.tsx';
import { FactList } from './fact-list.tsx';
import { factsOf } from './facts.ts';
import { Markdown } from './markdown.tsx';
import { Related } from './related.tsx';

export function About({ table }: { readonly table: Table }) {
  const { id, title, description } = table;
  const facts = factsOf(table.about);
  const text = description || (facts.dataset?.description ?? '');
  return (
    <div class="about">
      <div class="about-in">
        <div class="about-text">
          {text !== '' && (
            <section>
              <h2>{words.what}</h2>
              <Markdown of={text} />
            </section>
          )}
          <Dictionary table={table} />
          <Related table={table} />
          <Citation {...{ id, title, facts }} />
        </div>
        <aside>
          <FactList facts={facts} />
          <Downloads table={table} />
          <p>
            {site.hasCatalog && (
              <>
                <a href={catalogUrl}>{say.catalog}</a>
                {' · '}
              </>
            )}
            <a href={openApiUrl(id)}>{say.front.openApi}</a>
          </p>
        </aside>
      </div>
    </div>
  );
}
