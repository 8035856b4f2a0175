/** A plan → the bytes of a download, streamed. Joins readers of rows with formats. */
import { ClientGone } from '../accept/body.ts';
import { urlencoded } from '../accept/form.ts';
import { callerIn, canRead } from '../accept/permit.ts';
import type { Route } from '../accept/route.ts';
import { datastoreDump } from '../actions/datastore_dump.ts';
import { datastore_search } from '../actions/datastore_search.ts';
import { field } from '../actions/query/columns.ts';
import type { Gateway } from '../app/gateway.ts';
import { meteredBatches, type Spent, unspent } from '../execute/connection/meter.ts';
import { StatementTimeout } from '../execute/connection/session.ts';
import { ReadAhead } from '../execute/dump/read-ahead.ts';
import { notFound, unavailable } from '../model/errors.ts';
import type { DumpFormat, Reply } from '../model/http.ts';
import type { Read } from '../model/plan.ts';
import { acceptsGzip, gzipped } from '../reply/compress.ts';
import { attachment } from '../reply/disposition.ts';
import * as formats from '../reply/formats/index.ts';
import { rowParts } from '../reply/formats/long-cells.ts';
import type { Resolved } from '../tables/served.ts';
import { Pace } from '../values/slices.ts';
import { type Call, clientName } from './begin.ts';
import { asksNoCache, header } from './classify.ts';
import { excludes, labelsOf, mostExcluded, translate, withNames } from './execute-plan.ts';
import { type CallAnswer, failed, logOf, uncached } from './report.ts';
import { planned, present, resolve, upToDate } from './resource.ts';
import { dumpAnywhere, type Reading } from './server-of-read.ts';

/** Characters per piece, roughly. */
const piece = 64 * 1024;

/** The content of a download and its format. */
interface Download {
  readonly plan: Read;
  readonly format: DumpFormat;
  readonly bom: boolean;
}

/** Answers `/datastore/dump/…`. A client without the right to read gets 404 (contract 11). */
export async function answerDump(call: Call<Extract<Route, { to: 'dump' }>>): Promise<CallAnswer> {
  const { id, query } = call.route;
  const caller = callerIn(call.sender);
  const { unknown } = datastore_search;
  const asked = datastoreDump(id, urlencoded(query, call.gateway.settings.limits.parameters), call.gateway.bounds);
  const find = (now: Gateway) => resolve(now, id, unknown);
  const resource = find(call.gateway);
  const log = logOf(call, resource.id);
  const reply = upToDate(call.gateway, resource, find, async (gateway, current) => {
    if (!canRead(caller, current)) throw notFound(unknown?.(id));
    const plan = await planned(gateway, current, call.began, () => asked.plan(present(current), caller));
    return download(call, gateway, current, { ...asked, plan }, log.spent);
  });
  return reply.then(
    (sent) => uncached(sent, log),
    (error: unknown) => failed(error, call, log),
  );
}

/** Replies when the first bytes are there; an error before them is thrown as a `Refusal`. */
async function download(
  call: Call,
  gateway: Gateway,
  resource: Resolved,
  { plan, format, bom }: Download,
  spent: Spent,
): Promise<Reply> {
  const { connected } = resource;
  const { request } = call;
  const gone = request.gone();
  const { dumpTimeout, dumpMinSpeed } = gateway.settings.limits;
  const isGzip = acceptsGzip(header(request, 'accept-encoding'));
  const headers = headersOf(resource, plan, format, isGzip);
  const end = new AbortController();
  // For a HEAD request nothing is read.
  if (request.method === 'HEAD') return { status: 200, headers, body: { pieces: none(), broken: end.signal } };
  if (connected === null) throw unavailable('the database cannot be reached, try again');
  const place = await connected.database.downloads.enter(clientName(call), gone);
  if (gateway.isReplaced()) {
    place.leave();
    throw unavailable('another configuration was taken over while this download waited, try again');
  }
  gone.addEventListener('abort', () => end.abort(gone.reason), { once: true });
  const timer = setTimeout(
    () => end.abort(new StatementTimeout(`the dump took longer than ${dumpTimeout} ms`, dumpTimeout)),
    dumpTimeout,
  );
  const ahead = new ReadAhead(gateway.spool, {
    bytesPerSecond: dumpMinSpeed,
    onTooSlow(seconds) {
      const why = slowClient(gateway, seconds);
      gateway.emit({ on: 'warned', text: `a download of ${resource.id} was cut off: ${why}` });
      end.abort(new StatementTimeout(why, 1000 * seconds));
    },
  });
  const isOfPrimary = asksNoCache(request);
  const rows = { gateway, resource, connected, isOfPrimary, asked: request.asked ?? performance.now() };
  // The place is left when the connection is free again: only then another download can have it.
  ahead.fill(dumped(rows, plan, { format, bom }, end.signal, spent)).then(() => place.leave());
  const close = (error: unknown) => {
    clearTimeout(timer);
    ahead.close(error);
  };
  end.signal.addEventListener('abort', () => close(errorOf(end.signal.reason, rows, plan)), { once: true });
  const all = ahead.pieces();
  const first = await all.next().catch((error: unknown) => {
    close(error);
    throw error;
  });
  async function* whole() {
    let isWhole = false;
    try {
      if (!first.done) yield first.value;
      yield* all;
      isWhole = true;
    } finally {
      clearTimeout(timer);
      if (!isWhole) end.abort(new ClientGone());
    }
  }
  const body = { pieces: whole(), broken: end.signal };
  return { status: 200, headers, body: isGzip ? gzipped(body) : body };
}

function headersOf({ access, settings }: Resolved, plan: Read, format: DumpFormat, isGzip: boolean): Reply['headers'] {
  return {
    'Content-Type': `${formats[format].mediaType}; charset=utf-8`,
    'Content-Disposition': attachment(plan.table.resource, settings.title, format),
    'Cache-Control': access.read === 'token' ? 'private, no-cache' : 'no-cache',
    Vary: 'Authorization, X-CKAN-API-Key, Accept-Encoding',
    ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
  };
}

/** Why the download of a slow client ends, and what such a client can do instead. */
function slowClient({ settings, spool }: Gateway, seconds: number): string {
  const { dumpMinSpeed, spoolBytes } = settings.limits;
  const full =
    spool.error instanceof Error
      ? `cannot be written (${spool.error.message})`
      : `is full (limits.spoolBytes: ${spoolBytes})`;
  return `the spool ${full}, and the client took less than ${dumpMinSpeed} bytes per second for ${seconds} s (limits.dumpMinSpeed); a slow client can page with include_next_page instead`;
}

/** The error of a download, from what its source threw or the reason of an abort: a `Refusal`, or a `ClientGone`. */
const errorOf = (
  reason: unknown,
  { gateway, connected }: Pick<Reading, 'gateway' | 'connected'>,
  plan: Read,
): unknown =>
  reason instanceof ClientGone ? reason : translate(reason, plan, connected, gateway.settings.limits.responseBytes);

async function* none(): AsyncGenerator<string, void> {}

/** Throws a `Refusal` or `ClientGone`; throws before the first piece if nothing could be read. */
async function* dumped(
  rows: Omit<Reading, 'spent' | 'gone'>,
  plan: Read,
  { format, bom }: Pick<Download, 'format' | 'bom'>,
  signal: AbortSignal,
  all: Spent,
  attempt = 1,
): AsyncGenerator<Uint8Array, void> {
  const { gateway, connected } = rows;
  const { dialect } = connected;
  const maker = formats[format];
  const fields = plan.columns.map(field);
  const encoders = plan.columns.map(dialect.encoder);
  const writing = maker.format(fields, encoders);
  const { between, tail } = writing;
  const wanted = maker.lines?.(encoders) ?? null;
  const spent = unspent();
  const pace = new Pace();
  let server = 'primary';
  const on = (name: string) => {
    server = name;
  };
  let text = (bom && maker.bom ? '\ufeff' : '') + (maker.header?.(fields) ?? writing.head);
  try {
    let gap = '';
    for await (const some of meteredBatches(dumpAnywhere({ ...rows, spent, gone: signal }, plan, wanted, on), spent)) {
      if (some instanceof Uint8Array) {
        if (text !== '') yield Buffer.from(text);
        text = '';
        yield some;
        // Node reads two megabytes from the database before anything else runs, and a client on the same machine takes them at once.
        if (pace.isDue()) await pace.turn();
        continue;
      }
      for (const cells of some) {
        text += gap;
        gap = between;
        for (const part of rowParts(writing, encoders, cells)) {
          text += part;
          // A client on the same machine takes pieces so fast that this loop never yields to other work.
          if (pace.isDue()) await pace.turn();
          if (text.length < piece) continue;
          // A socket takes bytes three times as fast as text.
          yield Buffer.from(text);
          text = '';
        }
      }
    }
    yield Buffer.from(text + tail);
  } catch (error) {
    if (attempt < mostExcluded && excludes(error, plan, connected)) {
      yield* dumped(rows, plan, { format, bom }, signal, all, attempt + 1);
      return;
    }
    const { resource, isOfPrimary: noCache, asked } = rows;
    const refused = errorOf(signal.aborted ? signal.reason : error, rows, plan);
    throw await withNames(refused, gateway, resource, plan, { noCache, gone: signal, asked, spent: all });
  } finally {
    gateway.emit({ on: 'queried', ...labelsOf(plan), server, effect: 'dump', ...spent });
    all.queried += spent.queried;
  }
}
