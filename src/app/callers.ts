/** Creates the login checks from the settings. Each reload creates new ones: the upstream's decisions are forgotten, and keys fetched again. */
import { Logins } from '../accept/logins/logins.ts';
import { Verdicts } from '../accept/verdicts/verdicts.ts';
import type { Settings } from '../config/assemble.ts';
import type { Questions } from '../forward/questions.ts';
import type { Emit } from '../model/events.ts';

/** Null if no issuer of JWTs is configured. */
export const loginsOf = ({ auth, resources }: Settings, emit: Emit): Logins | null =>
  auth.jwt.length === 0 ? null : new Logins(auth.jwt, [...resources.keys()], emit);

/** Null if there is no upstream, or no resource leaves its rights to it. */
export function verdictsOf(
  { upstream, resources }: Settings,
  questions: Questions | null,
  emit: Emit,
): Verdicts | null {
  const isAsked = [...resources.values()].some(
    ({ access }) => access.read === 'upstream' || access.write === 'upstream',
  );
  if (!isAsked || upstream === null || questions === null) return null;
  const ask: Questions['ask'] = (question, timeoutMs) => questions.ask(question, timeoutMs);
  return new Verdicts(upstream.access, { ask, emit, now: () => performance.now() });
}

/** The `Vary` header of answers that depend on the caller: the request headers that may contain a login. */
export function varyOf({ upstream }: Settings): string {
  const { header = null, cookies = [] } = upstream?.access ?? {};
  const logins = [
    'Authorization',
    'X-CKAN-API-Key',
    ...(header === null ? [] : [header]),
    ...(cookies.length === 0 ? [] : ['Cookie']),
  ];
  return [...logins, 'Accept-Encoding'].join(', ');
}
