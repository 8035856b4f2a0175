import type { Encoder, Field } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';
import { stringEnd } from '../../values/json-scan.ts';
import type { DownloadFormat } from './format.ts';
import { partsOf } from './long-cells.ts';

/** XML like CKAN's, except that we replace names and characters that are invalid in XML. */
export const xml: DownloadFormat = {
  mediaType: 'text/xml',
  bom: true,
  isJson: false,
  format(fields, encoders) {
    const hasId = fields[0]?.id === '_id';
    const shown = hasId ? fields.slice(1) : fields;
    const names = elementNames(shown.map(({ id }) => id));
    const writers = shown.map((field, at) => writer(names[at] ?? '_', field, encoders[hasId ? at + 1 : at]));
    return {
      head: '<data xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n',
      row(cells) {
        let text = hasId ? `<row _id="${attribute(encoders[0]?.plain(cells[0] ?? null) ?? '')}">` : '<row>';
        for (let at = 0; at < writers.length; at++) text += writers[at]?.(cells[hasId ? at + 1 : at] ?? null) ?? '';
        return `${text}</row>\n`;
      },
      between: '',
      tail: '</data>\n',
      long({ column, is, text }, mark) {
        if (is === 'text') return { standIn: mark, shown: mark, parts: partsOf(text, content) };
        const name = names[hasId ? column - 1 : column] ?? '_';
        return { standIn: `"${mark}"`, shown: `<${name}>${mark}</${name}>`, parts: elements(name, text) };
      },
    };
  },
};

function writer(name: string, { type }: Field, encoder: Encoder | undefined): (cell: Cell) => string {
  if (encoder === undefined) return () => '';
  if (/^jsonb?$|^_/.test(type)) return (cell) => tree(name, encoder.json(cell));
  if (type === 'bool') return (cell) => leaf(name, '', python(encoder.json(cell)));
  const [nil, open, close] = [`<${name} xsi:nil="true" />`, `<${name}>`, `</${name}>`];
  return (cell) => {
    const text = encoder.plain(cell);
    return text === null ? nil : text === '' ? `<${name} />` : open + content(text) + close;
  };
}

/** Writes an element without child elements. @param more its attributes, already escaped */
function leaf(name: string, more: string, text: string | null): string {
  if (text === null) return `<${name} xsi:nil="true"${more} />`;
  return text === '' ? `<${name}${more} />` : `<${name}${more}>${content(text)}</${name}>`;
}

/** JSON text → elements. Items and members become elements `value` with a `key`; numbers keep all their digits. */
const tree = (name: string, json: string): string => Array.from(elements(name, json)).join('');

function* elements(name: string, json: string): Generator<string, void> {
  const tokens = tokensOf(json);
  const next = () => tokens.next().value ?? '';
  const open: { readonly close: string; next: number | null }[] = [];
  for (let token = next(); token !== ''; ) {
    const parent = open.at(-1);
    if (token === ']' || token === '}') {
      yield open.pop()?.close ?? '';
      token = next();
      continue;
    }
    let more = '';
    if (parent !== undefined) {
      const key = parent.next === null ? String(JSON.parse(token)) : String(parent.next++);
      more = ` key="${attribute(key)}"`;
      if (parent.next === null) token = next();
    }
    const element = parent === undefined ? name : 'value';
    const following = next();
    if (token !== '[' && token !== '{') yield leaf(element, more, python(token));
    else if (following === ']' || following === '}') {
      yield `<${element}${more} />`;
      token = next();
      continue;
    } else {
      yield `<${element}${more}>`;
      open.push({ close: `</${element}>`, next: token === '[' ? 0 : null });
    }
    token = following;
  }
}

/** Splits JSON text into tokens. (One regular expression would overflow its stack on a string with many escapes.) */
function* tokensOf(json: string): Generator<string, void> {
  const end = /[\s[\]{},:"]/g;
  for (let at = 0; at < json.length; ) {
    const character = json[at] ?? '';
    const start = at;
    if (/[\s,:]/.test(character)) at++;
    else {
      if (/[[\]{}]/.test(character)) at++;
      else if (character === '"') at = stringEnd(json, at) + 1;
      else {
        end.lastIndex = at;
        at = end.exec(json)?.index ?? json.length;
      }
      yield json.slice(start, at);
    }
  }
}

/** The value of a JSON token, with booleans in Python's spelling, as in CKAN; null for `null`. */
function python(token: string): string | null {
  if (token === 'null') return null;
  if (token === 'true') return 'True';
  if (token === 'false') return 'False';
  return token.startsWith('"') ? String(JSON.parse(token)) : token;
}

/** Characters that XML 1.0 cannot represent. They become U+FFFD, as lone surrogates do in Node's UTF-8 encoder. */
const unwritable = /(?![\t\n\x7f-\x9f])[\p{Cc}\ufffe\uffff]/gu;

/** Characters that need escaping. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const special = /[&<>\u0000-\u001f\u007f-\u009f\ufffe\uffff]/;

/** Escapes a text. CR is escaped, too, because XML parsers read a raw CR as LF. */
function content(text: string): string {
  if (!special.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
    .replace(unwritable, '\ufffd');
}

function attribute(text: string): string {
  if (/^[\w-]*$/.test(text)) return text;
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#09;');
}

/** Turns column names into element names, none of them empty and no two the same. */
export function elementNames(labels: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    const name = elementName(label);
    let unusedName = name;
    for (let nth = 0; taken.has(unusedName); nth++) unusedName = `${name}_${nth}`;
    taken.add(unusedName);
    return unusedName;
  });
}

/** Characters that a name in XML 1.0 must not contain. CKAN keeps some of them, and its XML is then invalid. */
const foreign =
  /[^-._A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}]/gu;

function elementName(label: string): string {
  const kept = label
    .normalize('NFC')
    .replace(/^(?:\p{Nd}*xml\p{Nd}*|\p{Nd}+)/iu, '')
    .replace(/\s+/g, '_')
    .replace(/[^\p{L}\p{N}_.-]/gu, '')
    .replace(foreign, '');
  const name = kept.replace(/^[\p{Nd}.-]+/u, '');
  if (name !== '') return name;
  return `_${label.replace(/[^\p{L}\p{N}_.-]/gu, '').replace(foreign, '')}`;
}
