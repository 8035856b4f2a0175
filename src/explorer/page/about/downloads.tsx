import { dumpUrl } from '../ask/site.ts';
import { token } from '../ask/token.ts';
import { say } from '../texts/index.ts';
import { words } from './texts/index.ts';

const formats = ['xlsx', 'csv', 'tsv', 'parquet', 'geojson', 'json', 'jsonl', 'xml'] as const;

/** The whole table in each format. A link cannot send the token, so with one each is a form. */
export function Downloads({ resource, hasPlaces }: { readonly resource: string; readonly hasPlaces: boolean }) {
  const shown = formats.filter((format) => format !== 'geojson' || hasPlaces);
  return (
    <ul class="box downloads" aria-label={words.downloads}>
      {shown.map((format) => (
        <li key={format}>
          {token() === '' ? (
            <a href={`${dumpUrl(resource)}?format=${format}`} target="_blank" rel="noopener">
              {say.formats[format]}
            </a>
          ) : (
            <form
              method="post"
              action={dumpUrl(resource)}
              target="_blank"
              rel="noopener"
              onFormData={(event) => {
                if (event instanceof FormDataEvent) event.formData.set('token', token());
              }}
            >
              <input type="hidden" name="format" value={format} />
              <button type="submit" class="link">
                {say.formats[format]}
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  );
}
