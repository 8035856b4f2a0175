/** Pure. The text of server-sent events. Values are JSON or digits, so that none can begin a line of its own. */

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // nginx would hold events back until it has a page of them.
  'X-Accel-Buffering': 'no',
  Vary: 'Authorization, X-CKAN-API-Key',
};

/** A comment, so that proxies and clients see that the connection lives. */
export const heartbeat = ':\n\n';

/** @param milliseconds that a client waits before it connects again */
export const retryAfter = (milliseconds: number): string => `retry: ${Math.round(milliseconds)}\n\n`;

/**
 * The event that says that a resource has changed.
 * @param name of the resource, as the client wrote it
 * @param version greater than in every earlier event of the stream
 * @param id what the client sends as `Last-Event-ID` when it connects again
 */
export function changed(name: string, version: number, id: string): string {
  return `id: ${id}\nevent: changed\ndata: {"resource_id":${JSON.stringify(name)},"version":${version}}\n\n`;
}
