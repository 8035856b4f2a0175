/**
 * Parses `Accept`, `Accept-Encoding` and the like (RFC 9110 12.4.2): each item, in lower case, with its weight. The weight is 1 if
 * absent, and 0 if the client refuses the item or the weight is unreadable.
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
