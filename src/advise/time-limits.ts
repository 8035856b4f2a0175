import type { Rule } from './facts.ts';

/** Finds gateway timeouts that exceed the server's, and servers that cannot time out statements themselves. */
export const timeLimits: Rule = ({ database, server, limits }) => {
  const path = ['databases', database, 'statementTimeout'];
  const { transactionTimeout: most, endsReads } = server;
  const longer = [
    { path, limit: limits.statementTimeout },
    { path: ['limits', 'dumpTimeout'], limit: limits.dumpTimeout },
  ].filter(({ limit }) => most !== null && limit >= most);
  return [
    ...longer.map(({ path, limit }) => ({
      path,
      says: `is ${limit / 1000} s, but database ${database} ends the session of a transaction after ${(most ?? 0) / 1000} s (transaction_timeout): lower it, or raise that of this user`,
    })),
    ...(endsReads
      ? []
      : [
          {
            path,
            says: 'is kept by the gateway alone, because this version of the server ends no statement itself: one runs on if the gateway is killed, and to end one takes a connection beside those of the pool',
          },
        ]),
  ];
};
