/** Dates and times the way people type them in the page's language. Languages in which `11/12/2026` is ambiguous keep the API's notation. */
import { say } from '../texts/index.ts';

const example = new Intl.DateTimeFormat(say.language, { day: '2-digit', month: '2-digit', year: 'numeric' })
  .formatToParts(0)
  .map(({ type, value }) => (type === 'literal' ? value : type))
  .join('');
/** Whether the language writes dates like 27.11.2026. */
const hasDots = example === 'day.month.year';

/** The text to edit in an input. Nothing is rounded, or moved to another time zone. */
export const timeToType = (text: string): string =>
  sign === null
    ? text
    : text.replace(/^(\d{4})-(\d\d)-(\d\d)(?:T(?=\d)|$)/, (all, y, m, d) =>
        [d, m, y].join(sign).concat(all.endsWith('T') ? ' ' : ''),
      );

/** A typed date or time, as the API writes it. Any other text stays as it is, so that the gateway's refusal names the field. */
export function typedTime(typed: string): string {
  const text = typed.trim();
  const [, d = '', m = '', y, rest = ''] = dayFirst?.exec(text) ?? [];
  return y === undefined ? text : `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}${rest === '' ? '' : `T${rest}`}`;
}
