import { dumpUrl } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { token } from '../ask/token.ts';
import { type Format, formatsOf } from '../parts/formats.ts';
import { say, aboutWords as words } from '../texts/index.ts';

/** Downloads the whole table in each format. A link cannot send a token, so if there is one, each download is a form. */
export function Downloads({ table }: { readonly table: Table }) {
  const address = dumpUrl(table.id);
  return (
    <ul class="box downloads" aria-label={words.downloads}>
      {formatsOf(table).map((format) => (
        <li key={format}>
          {token() === '' ? (
            <a href={`${address}?format=${format}`} target="_blank" rel="noopener">
              <FormatName of={format} />
            </a>
          ) : (
            <form
              method="post"
              action={address}
              target="_blank"
              rel="noopener"
              onFormData={(event) => {
                if (event instanceof FormDataEvent) event.formData.set('token', token());
              }}
            >
              <input type="hidden" name="format" value={format} />
              <button type="submit" class="link">
                <FormatName of={format} />
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A format's name, and what it is for. */
function FormatName({ of }: { readonly of: Format }) {
  const [name, ...purpose] = say.formats[of].split(', ');
  return (
    <>
      <b>{name}</b> <small>{purpose.join(', ')}</small>
    </>
  );
}
