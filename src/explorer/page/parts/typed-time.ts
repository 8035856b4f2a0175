/** Dates and times as people of the page's language type them. Where that could be read in two ways, as `11/12/2026` can, they stay as the API writes them. */
import { say } from '../texts/index.ts';

const example = new Intl.DateTimeFormat(say.language, { day: '2-digit', month: '2-digit', year: 'numeric' })
  .formatToParts(0)
  .map(({ type, value }) => (type === 'literal' ? value : type))
  .join('');
/** Whether the language writes 27.11.2026. */
const hasDots = example === 'day.month.year';

/** The text for an input. Nothing is rounded or moved to another time zone. */
export const timeToType = (text: string): string =>
  hasDots
    ? text.replace(
        /^(\d{4})-(\d\d)-(\d\d)(?:T(?=\d)|$)/,
        (all, y, m, d) => `${d}.${m}.${y}${all.endsWith('T') ? ' ' : ''}`,
      )
    : text;

/** A typed date or time as the API writes it; another text stays as it is, so that the gateway's refusal names the field. */
export function typedTime(typed: string): string {
  const text = typed.trim();
  const [, d = '', m = '', y, rest = ''] =
    (hasDots && /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ T]+(.+))?$/.exec(text)) || [];
  return y === undefined ? text : `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}${rest === '' ? '' : `T${rest}`}`;
}
