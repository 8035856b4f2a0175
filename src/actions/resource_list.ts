import type { SiteAction } from './action.ts';
import { count, flag, list, may, text } from './openapi/result-schemas.ts';
import { closed } from './openapi/tables.ts';
import { namesOf, Params, tooLong } from './params.ts';

/** The default limit: more resources than most sites have, so that one call shows them all. */
const defaultLimit = 1000;

/** Lists resources with their titles. CKAN only has `_table_metadata`, which lists bare names, ours and the upstream's together. */
export const resource_list: SiteAction = {
  about: 'site',
  name: 'resource_list',
  sideEffectFree: true,
  help: 'List the resources that the caller may read, and what else the caller may do with them.',
  parameters: [
    {
      name: 'q',
      type: 'text',
      extension: true,
      help: 'Words that must all occur in the id, an alias, the title or the description, whatever their case.',
    },
    {
      name: 'limit',
      type: 'count',
      default: defaultLimit,
      maxLimit: 'rowsMax',
      extension: true,
      help: 'At most so many resources; more than `limits.rowsMax` is taken as that.',
    },
    { name: 'offset', type: 'count', default: 0, extension: true, help: 'How many resources to leave out first.' },
  ],
  example: { q: 'permits', limit: 10 },
  answeredBy: () => 'gateway',
  async answer(given, { resources, limits }) {
    const params = new Params(given);
    params.refuseUnknown(known);
    const words = wordsOf(params, limits);
    const limit = Math.min(params.natural('limit', defaultLimit), limits.rowsMax);
    const offset = params.natural('offset', 0);
    params.check();
    const matching = await resources({
      matches({ id, aliases, title, description }) {
        // Joined by line ends, which no word contains, so that no word matches across two of these texts.
        const texts = words.length === 0 ? '' : [id, ...aliases, title, description].join('\n').toLowerCase();
        return words.every((word) => texts.includes(word));
      },
      enough: offset + limit,
    });
    return {
      caller: matching.caller,
      total: matching.resources.length,
      resources: matching.resources
        .slice(offset, offset + limit)
        .map(({ id, title, description, aliases, may, table }) => ({
          ...{ id, title, description, aliases, may: { ...may } },
          available: table !== null,
        })),
      ...(matching.isComplete ? {} : { incomplete: true }),
    };
  },
  resultSchema: closed(
    {
      caller: { type: ['string', 'null'] },
      total: count,
      resources: list(closed({ id: text, title: text, description: text, aliases: list(text), may, available: flag })),
      incomplete: { const: true },
    },
    ['caller', 'total', 'resources'],
  ),
};
const known = namesOf(resource_list.parameters);

/** The words of `q` in lower case. Complains about other types, and about more than a search allows. */
function wordsOf(params: Params, { qBytes, qWords }: { readonly qBytes: number; readonly qWords: number }) {
  const q = params.raw('q') ?? '';
  if (typeof q !== 'string') params.complain('q', 'must be a text');
  const bytes = typeof q === 'string' ? Buffer.byteLength(q) : 0;
  if (bytes > qBytes) params.complain('q', tooLong(qBytes, bytes));
  if (typeof q !== 'string' || bytes > qBytes) return [];
  const words = q.toLowerCase().match(/\S+/g) ?? [];
  if (words.length > qWords) params.complain('q', `must have at most ${qWords} words, got: ${words.length}`);
  return words;
}
