/**
 * Reads a list of an `Accept` header (RFC 9110 12.4.2): what a client accepts, in lower case, with its weight. A coding without a
 * weight has 1; a refused one, or one with an unreadable weight, has 0.
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
