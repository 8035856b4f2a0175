import { shownCount } from '../texts/index.ts';
import type { Fault } from './pasted/unreadable.ts';
import { words } from './texts/index.ts';

/** The message for a fault in a pasted text. */
export function faultInWords(fault: Fault): string {
  switch (fault.is) {
    case 'tooLarge':
    case 'tooManyRows':
      return words[fault.is](shownCount(fault.most));
    case 'wrongCells':
      return words.wrongCells(shownCount(fault.line), shownCount(fault.has), fault.has, shownCount(fault.wants));
    case 'twice':
      return words.twice(fault.name);
    case 'wrongCell':
      return words.row(shownCount(fault.row + 1), fault.name, fault.why);
    case 'noRows':
    case 'notUtf8':
      return words[fault.is];
    default:
      return words[fault.is](shownCount(fault.line));
  }
}
