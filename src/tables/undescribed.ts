import type { Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';

/** How many resources the warning names before "and 7 more". */
const maxNames = 5;

/** Warns about public tables that do not say who publishes them, what they are, or how they may be used: one warning for all of them. */
export function warningOfUndescribed({ resources }: Pick<Settings, 'resources'>): readonly Finding[] {
  const lacks = [...resources.values()]
    .filter(({ access }) => access.read === 'public')
    .map(({ name, description, metadata: { licence, publisher, dataset } }) => ({
      name,
      what: [
        ...(licence === null ? ['licence'] : []),
        ...(publisher === null ? ['publisher'] : []),
        ...(description === '' && (dataset?.description ?? '') === '' ? ['description'] : []),
      ],
    }))
    .filter(({ what }) => what.length > 0);
  if (lacks.length === 0) return [];
  const all = ['licence', 'publisher', 'description'].filter((one) => lacks.some(({ what }) => what.includes(one)));
  const names = lacks.slice(0, maxNames).map(({ name }) => JSON.stringify(name));
  const more = lacks.length > maxNames ? ` and ${lacks.length - maxNames} more` : '';
  const says = `should help people to use public tables: ${names.join(', ')}${more} lack ${all.join(', ')} (catalog, datasets, description)`;
  return [{ path: ['resources'], says }];
}
