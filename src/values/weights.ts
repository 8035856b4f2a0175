/**
 * Parses `Accept`, `Accept-Encoding` and the like (RFC 9110 12.4.2) into items, in lower case, and their weights. A missing weight counts
 * as 1. A weight of 0 means that the client refuses the item; an unreadable weight counts as 0.
 */
export function weights(header: string | undefined): ReadonlyMap<string, number> {
  const items = header === undefined || header.trim() === '' ? [] : header.split(',');
  return new Map(
    items.map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight) || 0];
    }),
  );
}
