/** The registry of rules: facts → advice. */
import { charset } from './charset.ts';
import { connections } from './connections.ts';
import { type Advice, type Facts, type Rule, type RuleName, ruleNames } from './facts.ts';
import { foreignKeys } from './foreign-keys.ts';
import { index } from './index-columns.ts';
import { key } from './key.ts';
import { nulls } from './nulls.ts';
import { privacy } from './privacy.ts';
import { readOnly } from './read-only.ts';
import { rights } from './rights.ts';
import { search } from './search.ts';
import { sizes } from './sizes.ts';
import { statistics } from './statistics.ts';
import { timeLimits } from './time-limits.ts';
import { writers } from './writers.ts';

const rules: Readonly<Record<RuleName, Rule>> = {
  ...{ search, index, nulls, key, 'foreign-keys': foreignKeys, rights },
  ...{ privacy, statistics, connections, 'time-limits': timeLimits, 'read-only': readOnly, writers, sizes, charset },
};

/** @param only the only rule to apply; null for all rules */
export function advise(facts: Facts, only: RuleName | null): readonly Advice[] {
  const selected = only === null ? ruleNames : [only];
  const { copyable } = facts.server.remedies;
  return selected.flatMap((rule) =>
    rules[rule](facts).map((one) => ({
      rule,
      ...one,
      ...(one.sql === undefined ? {} : { sql: one.sql.map(copyable) }),
    })),
  );
}
