import { quotedName, type Rule, tableNamed } from './facts.ts';

/** Finds personal data that everyone may read, and views that may show columns which another resource hides. */
export const privacy: Rule = ({ resources }) =>
  resources.flatMap(({ id, table, read, mentioned, personal, below }) => {
    const isShown = (name: string) => table.columns.some((column) => column.name === name);
    const everybody = read === 'public' ? personal : [];
    const hidden = below.map((one) => ({ ...one, hidden: one.hidden.filter((name) => !mentioned.has(name)) }));
    const shown = hidden.flatMap((one) => one.hidden.filter(isShown).map((name) => ({ name, of: one.table })));
    // If the configuration mentions every column, the operator has looked at each.
    const isDecided = table.columns.every(({ name }) => mentioned.has(name));
    const unseen = (isDecided ? [] : hidden).flatMap((one) => {
      const names = one.hidden.filter((name) => !isShown(name));
      return names.length === 0 ? [] : [{ names, of: one.table }];
    });
    const plain = { path: ['resources', id] };
    return [
      ...everybody.map((name) => ({
        ...plain,
        says: `shows ${quotedName(name)} to everyone, and its name or comment says personal data: hide it, or write \`hidden: false\``,
      })),
      ...shown.map(({ name, of }) => ({
        ...plain,
        says: `shows ${quotedName(name)}, which is hidden in ${tableNamed(of)}: hide it, or write \`hidden: false\``,
      })),
      ...unseen.map(({ names, of }) => ({
        ...plain,
        says: `reads ${tableNamed(of)}, of which ${names.map(quotedName).join(', ')} is hidden: look whether it shows it by another name`,
      })),
    ];
  });
