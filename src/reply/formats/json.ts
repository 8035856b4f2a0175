import { toJson } from '../../values/json.ts';
import type { DownloadFormat } from './format.ts';
import { longInJson } from './objects.ts';

/** A whole JSON document with a line for each record, laid out as CKAN's downloads are. */
export const json: DownloadFormat = {
  mediaType: 'application/json',
  bom: false,
  isJson: true,
  format: (fields, encoders) => ({
    head: `{\n  "fields": ${toJson(fields.map((field) => ({ ...field })))},\n  "records": [`,
    row(cells) {
      let text = '\n    [';
      for (let at = 0; at < encoders.length; at++) text += (at > 0 ? ',' : '') + encoders[at]?.json(cells[at] ?? null);
      return `${text}]`;
    },
    between: ',',
    tail: '\n]}\n',
    long: longInJson,
  }),
};
