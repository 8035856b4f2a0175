/** Asks the upstream what the sender of a call may do with resources that leave the decision to it (`access: upstream`). */
import { setTimeout as sleep } from 'node:timers/promises';
import { callerWith, type Decided, type Wanted } from '../accept/verdicts/verdicts.ts';
import type { Resolved, Served } from '../tables/served.ts';
import type { Call } from './call.ts';

type Rights = readonly Wanted['right'][];
type Asked = Pick<Resolved, 'id' | 'access'>;
type Asking = Pick<Call, 'credential' | 'sender' | 'log'> & { readonly gateway: Pick<Served, 'verdicts'> };

/** How many milliseconds a list waits for answers. */
const listedWithinMs = 2000;

/**
 * The same call with the rights on a resource that the upstream gives its sender. Call it before rights are checked. A caller with one of
 * our tokens has only the rights in its lists, because the upstream does not know the token.
 * @throws Refusal unavailable (503) if the upstream does not decide
 */
export async function withRights<C extends Asking>(call: C, resources: readonly Asked[], rights: Rights): Promise<C> {
  const { credential, gateway } = call;
  if (credential === null || gateway.verdicts === null) return call;
  const wanted = wantedOf(resources, rights);
  if (wanted.length === 0) return call;
  const decided: Decided[] = [];
  // Ask one after the other: a stream may name a hundred resources.
  for (const one of wanted) decided.push(await gateway.verdicts.decide(credential, one));
  return given(call, decided);
}

/**
 * Like `withRights`, for a list: a right that the upstream does not decide about in time counts as denied.
 * @param rights the rights to ask about
 * @param enough stops asking after this many readable resources
 * @returns `isComplete`: whether the upstream has decided about all of them
 */
export async function withListedRights<C extends Call>(
  call: C,
  resources: readonly Asked[],
  enough: number,
  rights: Rights = ['read', 'write'],
): Promise<{ readonly call: C; readonly isComplete: boolean }> {
  const { credential, gateway } = call;
  const wanted = wantedOf(resources, rights);
  if (credential === null || gateway.verdicts === null || wanted.length === 0) return { call, isComplete: true };
  const { verdicts } = gateway;
  const decided: Decided[] = [];
  const waiting = wanted.values();
  let [isOver, readable] = [false, 0];
  const askInTurn = async () => {
    for (const one of waiting) {
      if (isOver || readable >= enough) return;
      const verdict = await verdicts.decide(credential, one).catch(() => null);
      if (verdict !== null) decided.push(verdict);
      if (verdict?.right === 'read' && verdict.is === 'yes') readable += 1;
    }
  };
  await Promise.race([
    Promise.all(Array.from({ length: verdicts.atOnce }, askInTurn)),
    sleep(listedWithinMs, undefined, { ref: false }),
  ]);
  isOver = true;
  return { call: given(call, [...decided]), isComplete: decided.length === wanted.length };
}

/** The rights that the upstream decides about. */
const wantedOf = (resources: readonly Asked[], rights: Rights): readonly Wanted[] =>
  resources.flatMap(({ id, access }) =>
    rights.filter((right) => access[right] === 'upstream').map((right) => ({ id, right })),
  );

/** The same call with the rights of these verdicts. */
function given<C extends Asking>(call: C, decided: readonly Decided[]): C {
  const { credential, log } = call;
  const caller = callerWith(decided);
  log.caller = caller?.name ?? null;
  if (caller !== null) return { ...call, sender: caller };
  // The login may have ended since its account became known.
  const ended = credential?.kind === 'token' ? 'unknown token' : 'no token';
  return typeof call.sender === 'string' ? call : { ...call, sender: ended };
}
