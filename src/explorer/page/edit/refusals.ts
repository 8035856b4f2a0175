/** Translates why a write was refused into the page's language. The patterns match the gateway's own texts. */
import { say } from '../texts/index.ts';
import { words } from './texts/index.ts';

const { refusals } = words;
const patterns: readonly (readonly [RegExp, string | ((type: string) => string)])[] = [
  [/^invalid input syntax for type (?:date|timestamp)/, say.notATime],
  [/^invalid input syntax for type (?:numeric|smallint|integer|bigint|real|double)/, say.notANumber],
  [/^invalid (?:input|byte)|^bit string length/, refusals.other],
  [
    /(?:has more digits than type (.+) holds|out of range for type (.+)|^value too long for type (.+))$/,
    refusals.beyond,
  ],
  [/ is not a whole number: /, refusals.whole],
  [/ violates not-null constraint/, words.isRequired],
  [/^duplicate key value violates unique constraint/, refusals.duplicate],
  [/^insert or update violates foreign key constraint/, refusals.missing],
  [/^update or delete violates foreign key constraint/, refusals.referenced],
  [/^new row violates check constraint/, refusals.check],
  [/^refused by a trigger/, refusals.trigger],
  [/this table has no transactions/, refusals.noTransactions],
];

/** @returns null for an unknown text */
export function refusalInWords(text: string): string | null {
  for (const [pattern, words] of patterns) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const [, ...types] = found;
    return typeof words === 'string' ? words : words(types.find((one) => one !== undefined) ?? '');
  }
  return null;
}
