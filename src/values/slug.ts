/** A name in `a-z 0-9 _ -` for an address: `Straßen & Bäume` → `strassen-baume`. Empty if the text has no Latin letters. */
export const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, 90)
    .replace(/^-+|-+$/g, '');
