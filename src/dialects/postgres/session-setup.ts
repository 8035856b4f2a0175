import type { SessionUse } from '../../model/dialect/session.ts';
import { lostClientSettings } from './notice-loss.ts';

/**
 * SQL for every new session. It sets everything that changes the text we read, because ALTER ROLE and ALTER DATABASE may have set it.
 * Settings that restrict a role (read-only, lock_timeout), or that triggers rely on (search_path), stay as they are. JIT is off: it would
 * compile a condition of thousands of values for minutes, and neither a timeout nor a cancel could end that.
 */
export const sessionSetup = ({ statementTimeout, writes }: SessionUse): readonly string[] => [
  `SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex'; SET extra_float_digits = 1;
       SET TimeZone = 'UTC'; SET standard_conforming_strings = on; SET client_encoding = 'UTF8'; SET lc_monetary = 'C';
       SET transform_null_equals = off; SET array_nulls = on; SET gin_fuzzy_search_limit = 0; SET row_security = on; SET jit = off;
       SET default_transaction_isolation = 'read committed'; SET statement_timeout = ${statementTimeout};
       ${lostClientSettings(writes)}`,
];
