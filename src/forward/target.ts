/** Pure. The target of a forwarded request: always at the configured upstream, whatever host its target names. */

/**
 * The path for the upstream: the client's own, byte for byte, after the path where the upstream is mounted.
 * Of an absolute-form target only its path counts (RFC 9112 3.2.2).
 * @param base `''`, or a path without a slash at its end
 * @param target as in the request line
 */
export function pathAt(base: string, target: string): string {
  if (target === '*') return target;
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return `${base}${path.startsWith('/') ? '' : '/'}${path}`;
}
