/** Pure. A forwarded request's path. Its host is always the configured upstream, even if the request line names another. */

/**
 * The path for the upstream: the upstream's base path, followed by the client's path, byte for byte. If the target is an absolute URL (RFC
 * 9112 3.2.2), only its path counts.
 * @param base `''`, or a path without a trailing slash
 * @param target as in the request line
 */
export function pathAt(base: string, target: string): string {
  if (target === '*') return target;
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return `${base}${path.startsWith('/') ? '' : '/'}${path}`;
}
