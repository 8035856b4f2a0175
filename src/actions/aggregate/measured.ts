/** The answer to a question for measures → the result of the call. */
import { tooManyGroups } from '../../model/errors.ts';
import type { Result } from '../../model/http.ts';
import type { Rows } from '../../model/rows.ts';
import type { Table } from '../../model/table.ts';
import type { JsonObject } from '../../model/value.ts';
import { parseJson, toJson } from '../../values/json.ts';
import type { Bounds, Outcome } from '../action.ts';
import { count, flag, list, text } from '../openapi/result-schemas.ts';
import { closed } from '../openapi/tables.ts';
import { sampled } from './counts.ts';
import { conditionOf, groupedColumn } from './group-conditions.ts';
import { groupFilters } from './group-filters.ts';
import type { MeasureParameters } from './measure-parameters.ts';
import { groupsOf } from './measures.ts';

/** The result of a call. If there are more groups than the limit, `outcome` has one row more. */
export function measured(parsed: MeasureParameters, table: Table, outcome: Outcome, { responseBytes }: Bounds): Result {
  const { rows, asked } = outcome;
  if (rows === null || asked === undefined) throw new TypeError('no measures');
  const shown = { ...rows, cells: rows.cells.slice(0, parsed.limit) };
  // Each record repeats the call's filters, so long filters could multiply the size of the answer.
  if (parsed.includeFilters && shown.cells.length * Buffer.byteLength(toJson(parsed.filters)) > responseBytes)
    throw tooManyGroups(responseBytes);
  return {
    members: [
      ['fields', rows.fields.map((one) => ({ ...one }))],
      parsed.includeFilters ? ['records', withFilters(parsed, table, shown)] : ['records', shown, 'objects'],
      ['records_truncated', rows.cells.length > parsed.limit],
      ['counted', asked.total],
      ['sampled', asked.sample === null ? null : { records: asked.sample.records }],
    ],
  };
}

/** The records, each with the filters that find the records of its group. */
function withFilters(
  parsed: MeasureParameters,
  table: Table,
  { fields, encoders, cells }: Rows,
): readonly JsonObject[] {
  const groups = groupsOf(parsed, table);
  return cells.map((row) => {
    const values = encoders.map(({ json }, nth) => json(row[nth] ?? null));
    const filters = groups.reduce(
      (all, { of }, nth) => groupFilters(all, groupedColumn(of).label, conditionOf(of, values[nth] ?? 'null')),
      parsed.filters,
    );
    return {
      ...Object.fromEntries(fields.map(({ id }, nth) => [id, parseJson(values[nth] ?? 'null', 1)])),
      filters,
    };
  });
}

/** The schema of the result. */
export function measuresSchema(): JsonObject {
  const members = {
    fields: list(closed({ id: text, type: text, info: { type: 'object' } }, ['id', 'type'])),
    records: list({ type: 'object' }),
    ...{ records_truncated: flag, counted: count, sampled },
  };
  return closed(members, Object.keys(members));
}
