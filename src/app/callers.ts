/**
 * Makes what identifies callers, from the settings. Each reload makes it anew, so all verdicts are forgotten and keys are fetched again.
 * The packages behind it are loaded only if they are configured.
 */
import type { Logins } from '../accept/logins/logins.ts';
import type { Rates } from '../accept/rates.ts';
import { Verdicts } from '../accept/verdicts/verdicts.ts';
import type { Settings } from '../config/assemble.ts';
import type { Questions } from '../forward/questions.ts';
import type { Shadow } from '../forward/shadow.ts';
import type { Emit } from '../model/events.ts';

/** Null if no issuer of JWTs is configured. */
export async function loginsOf({ auth, resources }: Settings, emit: Emit): Promise<Logins | null> {
  if (auth.jwt.length === 0) return null;
  const { Logins } = await import('../accept/logins/logins.ts');
  return new Logins(auth.jwt, [...resources.keys()], emit);
}

/** What the settings need of all these. */
export type Configured = Awaited<ReturnType<typeof configured>>;

export const configured = async (settings: Settings, emit: Emit) => ({
  rates: await ratesOf(settings),
  logins: await loginsOf(settings, emit),
  upstream: await questionsOf(settings, emit),
});

/** The counters of calls; null if no rate limit is configured. */
export async function ratesOf({ rateLimit }: Settings): Promise<Rates | null> {
  if (rateLimit === null) return null;
  const { Rates } = await import('../accept/rates.ts');
  return new Rates(rateLimit);
}

/** What the gateway asks the upstream for itself; null without one. */
async function questionsOf(
  { upstream }: Settings,
  emit: Emit,
): Promise<{ readonly questions: Questions; readonly shadow: Shadow } | null> {
  if (upstream === null) return null;
  const { Questions } = await import('../forward/questions.ts');
  const { Shadow } = await import('../forward/shadow.ts');
  const questions = new Questions(upstream);
  return { questions, shadow: new Shadow(questions, emit) };
}

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
