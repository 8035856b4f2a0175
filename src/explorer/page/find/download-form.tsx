import { useState } from 'preact/hooks';
import { dumpUrl } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { token } from '../ask/token.ts';
import { type Format, formatsOf } from '../parts/formats.ts';
import { say } from '../texts/index.ts';

export interface DownloadFormProps {
  readonly table: Table;
  /** The parameters of the current search, as text. */
  readonly params: Readonly<Record<string, string>>;
  /** A description of the file's content. */
  readonly what: string;
}

/**
 * Downloads by submitting a form, so that the browser streams a file of any size to disk. With a token, the form sends a POST, because a link
 * cannot send the token.
 */
export function DownloadForm({ table, params, what }: DownloadFormProps) {
  const [format, setFormat] = useState<Format>('csv');
  const sent = token();
  const isText = format === 'csv' || format === 'tsv';
  return (
    <form
      class="form"
      method={sent === '' ? 'get' : 'post'}
      action={dumpUrl(table.id)}
      target="_blank"
      rel="noopener"
      onFormData={(event) => {
        if (sent !== '' && event instanceof FormDataEvent) event.formData.set('token', sent);
      }}
    >
      <p>{what}</p>
      {Object.entries(params).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <fieldset>
        <legend>{say.format}</legend>
        {formatsOf(table).map((one) => (
          <label key={one} class="choice">
            <input
              type="radio"
              name="format"
              value={one}
              checked={format === one}
              data-first={format === one ? '' : undefined}
              onChange={() => setFormat(one)}
            />
            {say.formats[one]}
          </label>
        ))}
      </fieldset>
      {isText && <p class="note">{say.formulas}</p>}
      <button type="submit" class="primary">
        {say.download}
      </button>
    </form>
  );
}
