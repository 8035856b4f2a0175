/** Pure. The text of server-sent events. Every value is JSON or digits, because a line break in a value would end its line in the stream. */

export const eventStreamHeaders = (vary: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // nginx would otherwise buffer events until it has a few kilobytes.
  'X-Accel-Buffering': 'no',
  Vary: vary,
});

/** A comment line, which shows proxies and clients that the connection is alive. */
export const heartbeat = ':\n\n';

/** Tells the client how many milliseconds to wait before it reconnects. */
export const retryAfter = (milliseconds: number): string => `retry: ${Math.round(milliseconds)}\n\n`;

/**
 * The event for a changed resource.
 * @param name the resource, as the client named it
 * @param version a number that is greater than in every earlier event of the stream
 * @param id the text that the client sends as `Last-Event-ID` when it reconnects
 */
export function changed(name: string, version: number, id: string): string {
  return `id: ${id}\nevent: changed\ndata: {"resource_id":${JSON.stringify(name)},"version":${version}}\n\n`;
}
