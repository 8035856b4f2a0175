import type { Type } from '../model/table.ts';

const digits = '0123456789';
/** The letters of `NaN` and `Infinity`, which a number or time column may show instead of a value. */
const special = 'nanifty';

/** Whether a value of this type, as we show it, can contain the text in any case. If not, a search skips the column. */
export function canShow(type: Type, text: string): boolean {
  const alphabet = alphabetOf(type);
  if (alphabet === null) return true;
  // An engine may fold a character in either direction: the Kelvin sign to k, the long s to S.
  for (const one of text) {
    const forms = `${one}${one.toLowerCase()}${one.toUpperCase()}`.toLowerCase();
    if (![...forms].some((form) => alphabet.includes(form))) return false;
  }
  return true;
}

/** All characters that can occur in a shown value of the type, in lower case; null if any character can. */
function alphabetOf(type: Type): string | null {
  switch (type.kind) {
    case 'int':
      return `${digits}-`;
    case 'decimal':
    case 'float':
      return `${digits}+-.e${special}`;
    case 'bool':
      return 'truefalse';
    case 'bits':
      return '01';
    case 'uuid':
      return `${digits}abcdef-`;
    case 'date':
    case 'time':
    case 'timestamp':
      // Dates before Christ end in ` BC`; a timestamp has a `T` before its time.
      return `${digits}+-:. tbc${special}`;
    case 'array': {
      const elements = alphabetOf(type.of);
      return elements === null ? null : `${elements}[]{}:=,"null \n`;
    }
    default:
      return null;
  }
}
