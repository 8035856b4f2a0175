import type { Type } from '../model/table.ts';

const digits = '0123456789';
/** The characters of texts shown instead of a number or a time: NaN, Infinity. */
const special = 'nanifty';

/** Whether the shown text of a value of the type may contain a text, in any case. A date contains no word, and a number no date. */
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

/** All characters that values of the type are shown with, in lower case; null where they may be any. */
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
      // A date before our era ends in ` BC`, one of a timestamp has its time after `T`.
      return `${digits}+-:. tbc${special}`;
    case 'array': {
      const elements = alphabetOf(type.of);
      return elements === null ? null : `${elements}[]{}:=,"null \n`;
    }
    default:
      return null;
  }
}
