import type { Plan } from '../../src/model/plan.ts';
import type { Steps } from '../../src/values/slices.ts';

/** The value of steps, all of them run at once. */
export function drained<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A plan, however it was made. */
export const planOf = (plan: Plan | Steps<Plan>): Plan => ('effect' in plan ? plan : drained(plan));
