/** Pure. Where a request goes: always to the configured application, whatever host its target names. */

/**
 * The path to ask the application for: the client's own, byte for byte, after the path the application is mounted at.
 * Of an absolute-form target only its path counts (RFC 9112 3.2.2).
 * @param base `''`, or a path without a slash at its end
 * @param target as it stands in the request line
 */
export function pathAt(base: string, target: string): string {
  if (target === '*') return target;
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return `${base}${path.startsWith('/') ? '' : '/'}${path}`;
}
