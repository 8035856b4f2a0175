/** The settings of limits. Pure. */
import { z } from 'zod';
import { atStart, duration, mapping, maxStringBytes, maybe, section, setting, size, wholeNumber } from './readers.ts';

/** The limits of calls and of memory. */
export const limits = section({
  connections: atStart(
    setting(
      wholeNumber(1),
      4096,
      'Maximum number of client connections, of all workers together; a new one closes the longest idle one.',
    ),
  ),
  bodyBytes: setting(size(maxStringBytes), '10MB', 'Maximum size of a request body, also after decompression.'),
  questionBytes: setting(
    size(10e6),
    '256kB',
    'Maximum size of a request body without the records of a write; forms count whole.',
  ),
  headerBytes: atStart(setting(size(1e6), '64KiB', 'Maximum size of the URL and the headers of a request together.')),
  parameters: setting(wholeNumber(1, 100_000), 1000, 'Maximum number of parameters of a call, in any encoding.'),
  responseBytes: setting(size(maxStringBytes), '64MB', 'Maximum size of a response.'),
  incomingBytes: atStart(
    setting(
      size(),
      '64MB',
      'Maximum memory of request bodies of running calls, of all workers together; above it the longest stalled one is a 503.',
    ),
  ),
  unsentBytes: atStart(
    setting(
      size(),
      '256MB',
      'Maximum memory of unread responses, of all workers together; above it the oldest ones are cut off.',
    ),
  ),
  rowsDefault: setting(wholeNumber(1), 100, 'Number of records of a search without `limit`.'),
  rowsMax: setting(wholeNumber(1), 32000, 'Maximum number of records of a search.'),
  maxOffset: setting(
    z.union([z.literal('none').transform(() => null), wholeNumber(0)], 'none or a whole number from 0'),
    'none',
    'Maximum offset of a search.',
  ),
  depth: setting(wholeNumber(1, 1000), 32, 'Maximum nesting of a request body.'),
  inValues: setting(wholeNumber(1, 60000), 10000, 'Maximum number of values of a filter.'),
  qWords: setting(wholeNumber(1, 1000), 16, 'Maximum number of words of q.'),
  qBytes: setting(
    size(maxStringBytes),
    '10kB',
    'Maximum size of q, and of all patterns of like and ilike of a call together.',
  ),
  recordsPerUpsert: setting(wholeNumber(1), 100000, 'Maximum number of records of a write.'),
  totalBudget: setting(duration(1), '1s', 'Maximum time of an exact count; after it the total is estimated.'),
  aggregateBudget: setting(
    duration(1),
    '2s',
    'Maximum time to count records in groups; after it only the first 100,000 records are counted.',
  ),
  sqlBudget: setting(duration(1), '5s', 'Maximum time of a statement for datastore_search_sql.'),
  sqlLength: setting(wholeNumber(1, 100_000), 10_000, 'Maximum number of characters of a SELECT.'),
  aggregatesPerDatabase: setting(
    wholeNumber(1, 1000),
    2,
    'Maximum number of calls that count records in groups of a database, or ask SQL, at once, of all workers together.',
  ),
  dumpsPerDatabase: setting(
    wholeNumber(1, 1000),
    2,
    'Maximum number of concurrent dumps of a database, of all workers together; a client may have half, rounded up.',
  ),
  dumpTimeout: setting(duration(1), '1h', 'Maximum duration of a dump.'),
  spoolBytes: atStart(
    setting(
      z.union([z.literal(0), size()], '0 or a size such as 64kB, 10MB or 1GB'),
      '1GB',
      'Maximum disk space below TMPDIR for what dumps have read and their clients have not taken, of all workers together; 0 = none.',
    ),
  ),
  subscribers: setting(
    wholeNumber(1),
    1000,
    'Maximum number of streams of change notices, of all workers together; a client may have half, rounded up.',
  ),
  dumpMinSpeed: setting(
    size(),
    '1MB',
    'Minimum bytes per second for the client of a dump while the spool is full, averaged over 10 s; a slower one is cut off.',
  ),
})
  .refine((v) => v.rowsDefault <= v.rowsMax, { path: ['rowsMax'], error: 'at least rowsDefault' })
  .refine((v) => v.bodyBytes <= v.incomingBytes, { path: ['incomingBytes'], error: 'at least bodyBytes' });

const rates = mapping({
  perToken: maybe(
    wholeNumber(1),
    'no limit',
    'Maximum number of calls with one token in a period, of all workers together.',
  ),
  perAddress: maybe(
    wholeNumber(1),
    'no limit',
    'Maximum number of calls from one address without a valid token in a period.',
  ),
  every: setting(duration(1), '1m', 'Length of a period.'),
});

/** The number of calls in a period. */
export const rateLimit = setting(
  z.union([z.literal('none').transform(() => null), rates], 'none or a mapping'),
  'none',
  'Limits on the number of calls in a period; calls above them are a 429.',
);
