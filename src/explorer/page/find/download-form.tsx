import { useState } from 'preact/hooks';
import { dumpUrl } from '../ask/site.ts';
import { token } from '../ask/token.ts';
import { say } from '../texts/index.ts';

export interface DownloadFormProps {
  readonly resource: string;
  /** The parameters of what is seen, as texts. */
  readonly params: Readonly<Record<string, string>>;
  /** What the file will hold, in words. */
  readonly what: string;
}

const formats = ['csv', 'tsv', 'json', 'jsonl', 'xml'] as const;

/** The browser itself saves the file, so that its size does not matter. A link could not carry the token; a form can. */
export function DownloadForm({ resource, params, what }: DownloadFormProps) {
  const [format, setFormat] = useState<(typeof formats)[number]>('csv');
  const sent = token();
  const isText = format === 'csv' || format === 'tsv';
  return (
    <form
      class="form"
      method={sent === '' ? 'get' : 'post'}
      action={dumpUrl(resource)}
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
        {formats.map((one) => (
          <label key={one} class="choice">
            <input type="radio" name="format" value={one} checked={format === one} onChange={() => setFormat(one)} />
            {say.formats[one]}
          </label>
        ))}
      </fieldset>
      {isText && (
        <label class="choice">
          <input type="checkbox" name="bom" value="true" />
          {say.bom}
        </label>
      )}
      {isText && <p class="note">{say.formulas}</p>}
      <button type="submit" class="primary">
        {say.download}
      </button>
    </form>
  );
}
