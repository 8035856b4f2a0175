/** Dates and times as people of the page's language type them. The English read `11/12/2026` in two ways: there they stay as the API writes them. */
import { say } from '../texts/index.ts';

const example = new Intl.DateTimeFormat(say.language, { day: '2-digit', month: '2-digit', year: 'numeric' })
  .formatToParts(0)
  .map(({ type, value }) => (type === 'literal' ? value : type))
  .join('');
/** The sign between day, month and year where they are in this order: 27.11.2026 in German, 27/11/2026 in French. Null in other orders. */
const [, sign = null] = /^day([./])month\1year$/.exec(example) ?? [];
const dayFirst = sign === null ? null : new RegExp(`^(\\d{1,2})\\${sign}(\\d{1,2})\\${sign}(\\d{4})(?:[ T]+(.+))?$`);

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
