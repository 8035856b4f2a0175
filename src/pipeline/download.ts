/** A plan → the bytes of a download, streamed. Joins readers of rows with formats. */
import { ClientGone } from '../accept/body.ts';
import { urlencoded } from '../accept/form.ts';
import { canRead } from '../accept/permit.ts';
import type { Route } from '../accept/route.ts';
import { datastoreDump } from '../actions/datastore_dump.ts';
import { datastore_search } from '../actions/datastore_search.ts';
import { field } from '../actions/query/columns.ts';
import { meteredBatches, type Spent, unspent } from '../execute/connection/meter.ts';
import { StatementTimeout } from '../execute/connection/session.ts';
import { dump } from '../execute/dump/dump.ts';
import type { Connected, Gateway } from '../gateway/build.ts';
import { notFound, unavailable } from '../model/errors.ts';
import type { Caller, DumpFormat, Reply } from '../model/http.ts';
import type { Read } from '../model/plan.ts';
import { acceptsGzip, gzipped } from '../reply/compress.ts';
import { attachment } from '../reply/disposition.ts';
import { dumps } from '../reply/dumps.ts';
import { lines } from '../reply/formats/lines.ts';
import { rowParts } from '../reply/formats/long.ts';
import { paced } from '../reply/pace.ts';
import { Pace } from '../values/slices.ts';
import { placeOf, translate } from './execute-plan.ts';
import { planned, present, resourceNamed, upToDate } from './resource.ts';

/** Characters per piece, roughly. */
const piece = 64 * 1024;

/** Milliseconds over which a client's speed is averaged: normally, and while other downloads wait for its connection. */
const windows = { window: 60_000, wantedWindow: 5000 };

/** The content of a download and its format. */
interface Download {
  readonly plan: Read;
  readonly title: string;
  readonly isPrivate: boolean;
  readonly format: DumpFormat;
  readonly bom: boolean;
}

/** The client's side of a download. */
export interface DownloadOptions {
  /** Aborted when the client has left. */
  readonly gone: AbortSignal;
  /** A HEAD request: nothing is read. */
  readonly head: boolean;
  readonly encodings: string | undefined;
  /** The name under which its downloads count. */
  readonly client: string;
}

/** Answers `/datastore/dump/…`. A client without the right to read gets 404 (contract 11). */
export function answerDump(
  gateway: Gateway,
  { id, query }: Extract<Route, { to: 'dump' }>,
  caller: Caller | null,
  how: DownloadOptions,
  told: { resource: string | null; readonly spent: Spent },
): Promise<Reply> {
  return upToDate(gateway, async (now) => {
    const asked = datastoreDump(id, urlencoded(query, now.settings.limits.parameters), now.bounds);
    const resource = resourceNamed(now, id, datastore_search.unknown);
    if (!canRead(caller, resource)) throw notFound(datastore_search.unknown?.(id));
    told.resource = resource.id;
    const { table, access, title } = present(resource);
    const plan = await planned(() => asked.plan({ id: resource.id, access, table }, caller), resource.database);
    return download(now, { ...asked, plan, title, isPrivate: access.read === 'token' }, how, told.spent);
  });
}

/** Replies when the first bytes are there; an error before them is thrown as a `Refusal`. */
async function download(
  gateway: Gateway,
  { plan, title, isPrivate, format, bom }: Download,
  { gone, head, encodings, client }: DownloadOptions,
  costs: Spent,
): Promise<Reply> {
  const { dumpTimeout, dumpMinSpeed } = gateway.settings.limits;
  const isGzip = acceptsGzip(encodings);
  const headers = {
    'Content-Type': dumps[format].contentType,
    'Content-Disposition': attachment(plan.table.resource, title, format),
    'Cache-Control': isPrivate ? 'private, no-cache' : 'no-cache',
    Vary: 'Authorization, X-CKAN-API-Key, Accept-Encoding',
    ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
  };
  const end = new AbortController();
  if (head) return { status: 200, headers, body: { pieces: none(), broken: end.signal } };
  const connected = gateway.snapshots.get(plan.table.database)?.connected ?? null;
  if (connected === null) throw unavailable('the database cannot be reached, try again');
  const place = await connected.database.downloads.enter(client, gone);
  if (gateway.isReplaced()) {
    place.leave();
    throw unavailable('another configuration was taken over while this download waited, try again');
  }
  const stop = (reason: Error) => end.abort(reason);
  gone.addEventListener('abort', () => end.abort(gone.reason), { once: true });
  const timer = setTimeout(
    stop,
    dumpTimeout,
    new StatementTimeout(`the dump took longer than ${dumpTimeout} ms`, dumpTimeout),
  );
  // A place is left when the connection is free again: only then another download can have it.
  const ended = () => {
    clearTimeout(timer);
    place.leave();
  };
  const slow = (window: number) =>
    stop(new StatementTimeout(`the reader took less than ${dumpMinSpeed} bytes per second for ${window} ms`, window));
  const pieces = dumped(gateway, connected, plan, { format, bom }, end.signal, costs);
  const all = paced(pieces, { bytesPerSecond: dumpMinSpeed, ...windows }, place, slow);
  // What a client that has left never begins to read does not end by itself.
  end.signal.addEventListener(
    'abort',
    () =>
      all
        .return()
        .catch(() => undefined)
        .finally(ended),
    { once: true },
  );
  const first = await all.next().catch((error: unknown) => {
    ended();
    throw error;
  });
  async function* whole() {
    try {
      if (!first.done) yield first.value;
      yield* all;
    } finally {
      // The connection is free only after this has returned.
      await all.return().finally(ended);
    }
  }
  const body = { pieces: whole(), broken: end.signal };
  return { status: 200, headers, body: isGzip ? gzipped(body) : body };
}

async function* none(): AsyncGenerator<string, void> {}

/** Throws a `Refusal` or `ClientGone`; throws before the first piece if nothing could be read. */
async function* dumped(
  gateway: Gateway,
  connected: Connected,
  plan: Read,
  { format, bom }: Pick<Download, 'format' | 'bom'>,
  signal: AbortSignal,
  costs: Spent,
): AsyncGenerator<Uint8Array, void> {
  const { database, dialect } = connected;
  const { delimiter, ...made } = dumps[format];
  const encoders = plan.columns.map(dialect.encoder);
  const writing = made.format(plan.columns.map(field), encoders);
  const { head, between, tail } = writing;
  const wanted = delimiter === null ? null : { delimiter, encoders, lines: lines(delimiter, encoders) };
  const spent = unspent();
  const pace = new Pace();
  let text = (bom ? '\ufeff' : '') + head;
  try {
    let gap = '';
    for await (const some of meteredBatches(dump(database, dialect, plan, wanted, signal), spent)) {
      if (some instanceof Uint8Array) {
        if (text !== '') yield Buffer.from(text);
        text = '';
        yield some;
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
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (reason instanceof ClientGone) throw reason;
    throw translate(reason, plan, connected, gateway.settings.limits.responseBytes);
  } finally {
    gateway.emit({ on: 'queried', ...placeOf(plan), effect: 'dump', ...spent });
    costs.queried += spent.queried;
  }
}
