/** A download of a table, from top to bottom: plan → wait for a slot → read ahead → send bytes as fast as the client takes them. */
import { ClientGone } from '../accept/body.ts';
import { urlencoded } from '../accept/form.ts';
import { callerIn, canRead, permit } from '../accept/permit.ts';
import { datastoreDump } from '../actions/datastore_dump.ts';
import { datastore_search } from '../actions/datastore_search.ts';
import type { Gateway } from '../app/gateway.ts';
import { StatementTimeout } from '../execute/connection/session.ts';
import { ReadAhead } from '../execute/dump/read-ahead.ts';
import { notFound, unavailable } from '../model/errors.ts';
import type { DumpFormat, Reply, Stream } from '../model/http.ts';
import type { Read } from '../model/plan.ts';
import { acceptsGzip } from '../reply/cached-reply.ts';
import { gzipped } from '../reply/compress.ts';
import { attachment } from '../reply/disposition.ts';
import { isBinary } from '../reply/formats/format.ts';
import * as formats from '../reply/formats/index.ts';
import type { Resolved } from '../tables/served.ts';
import { withRights } from './ask-upstream.ts';
import { clientName, type DownloadCall } from './call.ts';
import { header } from './classify.ts';
import { type Download, downloadBytes, errorOf } from './download-bytes.ts';
import { type CallAnswer, uncached } from './finish.ts';
import { makePlan, newerGateway, resolve, rowsFor } from './plan.ts';

type Parsed = ReturnType<typeof datastoreDump>;

/** Answers `/datastore/dump/…`. A client without the right to read gets a 404, the same as from CKAN. */
export async function answerDump(call: DownloadCall): Promise<CallAnswer> {
  const { gateway, log, route } = call;
  const { unknown } = datastore_search;
  const query = urlencoded(route.query, gateway.settings.limits.parameters);
  const parsed = datastoreDump(route.id, query, gateway.bounds);
  const resource = resolve(gateway, route.id, unknown);
  log.resource = resource.id;
  try {
    return uncached(await download(call, resource, parsed));
  } catch (error) {
    const newer = await newerGateway(gateway, error);
    const again = resolve(newer, route.id, unknown);
    log.resource = again.id;
    return uncached(await download({ ...call, gateway: newer }, again, parsed));
  }
}

/** Replies once the first bytes are read. Until then, an error can still become a status code: it is thrown as a `Refusal`. */
async function download(given: DownloadCall, resource: Resolved, parsed: Parsed): Promise<Reply> {
  const call = await withRights(given, [resource], ['read']);
  const { gateway, request, route, sender, signal } = call;
  if (!canRead(callerIn(sender), resource)) throw notFound(datastore_search.unknown?.(route.id));
  const rows = rowsFor(permit(sender, resource, 'read'), resource, 'read');
  const plan = await makePlan(call, resource, rows, parsed);
  // A binary file is compressed already.
  const isGzip = !isBinary(formats[parsed.format]) && acceptsGzip(header(request, 'accept-encoding'));
  const headers = headersOf(gateway, resource, plan, parsed.format, isGzip);
  // A HEAD request needs no rows.
  if (request.method === 'HEAD') return { status: 200, headers, body: { pieces: none(), broken: signal } };
  const { connected } = resource;
  if (connected === null) throw unavailable('the database cannot be reached, try again');
  const place = await connected.database.downloads.enter(clientName(call), signal);
  if (gateway.isReplaced()) {
    place.leave();
    throw unavailable('another configuration was taken over while this download waited, try again');
  }
  const { format, bom } = parsed;
  const file = { resource, connected, plan, format, bom, address: addressOf(call) };
  const body = await stream(call, file, place);
  return { status: 200, headers, body: isGzip ? gzipped(body) : body };
}

/** Reads ahead into the spool, so that a slow client does not keep the database session open. Resolves once the first bytes are read. */
async function stream(call: DownloadCall, file: Download, place: { leave(): void }): Promise<Stream> {
  const { gateway, signal } = call;
  const { dumpTimeout, dumpMinSpeed } = gateway.settings.limits;
  const end = new AbortController();
  signal.addEventListener('abort', () => end.abort(signal.reason), { once: true });
  const timer = setTimeout(
    () => end.abort(new StatementTimeout(`the dump took longer than ${dumpTimeout} ms`, dumpTimeout)),
    dumpTimeout,
  );
  const ahead = new ReadAhead(gateway.spool, {
    bytesPerSecond: dumpMinSpeed,
    onTooSlow(seconds) {
      const why = slowClient(gateway, seconds);
      gateway.emit({ on: 'warned', text: `a download of ${file.resource.id} was cut off: ${why}` });
      end.abort(new StatementTimeout(why, 1000 * seconds));
    },
  });
  // Free the slot when the database connection is released, not when the client has all bytes: the next download can start then.
  ahead.fill(downloadBytes({ ...call, signal: end.signal }, file)).then(() => place.leave());
  const close = (error: unknown) => {
    clearTimeout(timer);
    ahead.close(error);
  };
  end.signal.addEventListener('abort', () => close(errorOf(call, end.signal.reason, file)), { once: true });
  const pieces = ahead.pieces();
  const first = await pieces.next().catch((error: unknown) => {
    close(error);
    throw error;
  });
  async function* sentPieces() {
    let isComplete = false;
    try {
      if (!first.done) yield first.value;
      yield* pieces;
      isComplete = true;
    } finally {
      clearTimeout(timer);
      if (!isComplete) end.abort(new ClientGone());
    }
  }
  return { pieces: sentPieces(), broken: end.signal };
}

function headersOf(
  { vary }: Gateway,
  { access, settings }: Resolved,
  plan: Read,
  format: DumpFormat,
  isGzip: boolean,
): Reply['headers'] {
  return {
    'Content-Type': isBinary(formats[format])
      ? formats[format].mediaType
      : `${formats[format].mediaType}; charset=utf-8`,
    'Content-Disposition': attachment(plan.table.resource, settings.title, format),
    'Cache-Control': access.read !== 'public' ? 'private, no-cache' : 'no-cache',
    Vary: vary,
    ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
  };
}

/** The URL of a download for the file itself. A token in the URL is ignored, and must not end up in files. */
function addressOf({ url, route, gateway }: DownloadCall): string {
  const query = urlencoded(route.query, gateway.settings.limits.parameters).filter(([name]) => name !== 'token');
  return `${url}/datastore/dump/${encodeURIComponent(route.id)}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`;
}

/** The message that a slow client gets when its download is cut off, with what it can do instead. */
function slowClient({ settings, spool }: Gateway, seconds: number): string {
  const { dumpMinSpeed, spoolBytes } = settings.limits;
  const full =
    spool.error instanceof Error
      ? `cannot be written (${spool.error.message})`
      : `is full (limits.spoolBytes: ${spoolBytes})`;
  return `the spool ${full}, and the client took less than ${dumpMinSpeed} bytes per second for ${seconds} s (limits.dumpMinSpeed); a slow client can page with include_next_page instead`;
}

async function* none(): AsyncGenerator<string, void> {}
