import type { Plan } from '../../src/model/any-plan.ts';
import type { Steps } from '../../src/values/slices.ts';

/** Runs a generator of steps to its end, and returns its value. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The finished plan, if it may still be a generator of steps. */
export const planOf = (plan: Plan | Steps<Plan>): Plan => ('effect' in plan ? plan : runSteps(plan));
