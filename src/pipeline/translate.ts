/** Translates errors of the database into refusals for the client. */
import { DatabaseUnavailable } from '../execute/connection/breaker.ts';
import {
  PoolTimeout,
  SchemaChanged,
  SharedSession,
  StatementTimeout,
  TooLarge,
} from '../execute/connection/session.ts';
import { UnknownOutcome } from '../execute/write/transaction.ts';
import { filterOf, type Plan, shownOf } from '../model/any-plan.ts';
import {
  invalid,
  OutsideFlag,
  overResponseBytes,
  Refusal,
  refusal,
  stale,
  tooManyGroups,
  unreadable,
} from '../model/errors.ts';
import { columnsOf, isRank } from '../model/plan.ts';
import { isJudgedByServer } from '../model/table.ts';
import type { Connected } from '../tables/served.ts';

/** Limit of retries per call after a filter with a character that the database encoding lacks: the server reports one per try. */
export const maxExcludedCharacters = 100;

/** Whether a filter has a character that the database encoding lacks. If so, tells the dialect, so that a retry treats it as no match. */
export function excludes(error: unknown, plan: Plan, { dialect }: Connected): boolean {
  const meaning = dialect.classifyError(error);
  // In a client's SQL the character is not in a filter value, so a retry would fail again.
  if (plan.effect === 'ask' && !plan.counts) return false;
  if (plan.effect === 'write' || meaning.kind !== 'value' || meaning.lacks === undefined) return false;
  dialect.exclude(meaning.lacks);
  return true;
}

/** A 409: the records that a write should return cannot be shown. In a table without transactions, the write may have taken effect. */
function unanswered({ effect, table }: Plan, why: string, cause: unknown): Refusal {
  const member = effect === 'write' ? 'include_records' : 'include_deleted_records';
  const outcome = table.transactional
    ? 'so nothing was done'
    : 'but its table has no transactions, so the call may have been executed';
  return invalid({ [member]: [`must be false: ${why}, ${outcome}`] }, cause);
}

/** The refusal for the client after a plan has failed with this error. `responseBytes`: the limit, for the message. */
export function translate(error: unknown, plan: Plan, { dialect }: Connected, responseBytes: number): Refusal {
  const { table } = plan;
  const row = plan.effect === 'write' || plan.effect === 'delete' ? 0 : null;
  if (error instanceof OutsideFlag && row !== null) return unanswered(plan, error.text, error);
  if (error instanceof Refusal) return error;
  if (error instanceof TooLarge) {
    if (plan.effect === 'aggregate' || (plan.effect === 'ask' && plan.counts))
      return tooManyGroups(responseBytes, error);
    if (row === null) return overResponseBytes(responseBytes, error);
    return unanswered(plan, `the records are over ${responseBytes} bytes (limits.responseBytes)`, error);
  }
  if (error instanceof StatementTimeout && plan.effect === 'ask' && !plan.counts)
    return invalid({ query: ['Query took too long'] }, error);
  if (error instanceof StatementTimeout) return refusal({ kind: 'timeout' }, table, row, error);
  if (error instanceof SchemaChanged) return refusal({ kind: 'schema' }, table, null, error);
  if (error instanceof DatabaseUnavailable || error instanceof SharedSession)
    return refusal({ kind: 'connection' }, table, null, error);
  if (error instanceof PoolTimeout) return refusal({ kind: 'busy' }, table, null, error);
  if (error instanceof UnknownOutcome) {
    const message = 'the connection was lost while writing: the records may or may not have been written';
    return new Refusal('unknownOutcome', { message }, { cause: error });
  }
  const meaning = dialect.classifyError(error);
  // An invalid value comes from a filter on a type that only the engine parses (interval, inet …), from a column that was retyped, or
  // from an expression in a view.
  const where = filterOf(plan);
  if (
    meaning.kind === 'unreadable' &&
    (plan.effect === 'read' || plan.effect === 'aggregate' || plan.effect === 'ask')
  ) {
    const shown = shownOf(plan).flatMap((one) => (isRank(one) ? [] : [one]));
    return unreadable(shown, meaning.encoding, error);
  }
  if (meaning.kind === 'value' && meaning.isOverflow && plan.effect === 'ask')
    return invalid({ query: ['a number is out of range'] }, error);
  if (meaning.kind === 'value' && where !== null) {
    // A row filter may compare columns that are hidden.
    const compared = columnsOf(where).filter(({ name }) => table.columns.some((one) => one.name === name));
    const names = compared.filter(({ type }) => type.kind === 'json' || isJudgedByServer(type));
    const fields = names.map(({ label }) => `"${label}"`).join(' or ') || 'its field';
    const refused =
      compared.length > 0
        ? invalid({ filters: [`a value is no valid input for the type of ${fields}`] }, error)
        : invalid({ query: ['the database cannot compute a value of these records'] }, error);
    return stale(refused, table.resource, 'failed');
  }
  if (meaning.kind === 'trigger' && row === null)
    return invalid({ query: ['refused by a function of the database'] }, error);
  return refusal(meaning, table, meaning.kind === 'timeout' ? row : null, error);
}
