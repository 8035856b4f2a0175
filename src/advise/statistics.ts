import type { Rule } from './facts.ts';

/** Finds tables without statistics (never ANALYZEd): their query plans, estimated totals and this advice are guesses. */
export const statistics: Rule = ({ resources, server }) =>
  server.unanalyzed.flatMap((table) => {
    const shown = resources.find(
      ({ catalogTable }) => catalogTable.name === table.name && catalogTable.schema === table.schema,
    );
    if (shown === undefined) return [];
    const says = 'was never analysed: its plans, its estimated totals and the advice on it are guesses';
    const sql = server.remedies.analyze(table);
    return [{ path: ['resources', shown.id, 'table'], says, sql }];
  });
