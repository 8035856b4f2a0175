/** Listens to a table's change notices (`datastore_changes`). It uses `fetch`, because `EventSource` cannot send a token. */
import { isAbort, Refused, send } from './call.ts';
import { actionUrl } from './site.ts';
import { token } from './token.ts';

/** Milliseconds before a stream that has ended is opened again. */
const pauseMs = 15_000;

/**
 * Calls `onNotice` whenever the table may have changed, until the signal aborts or the table can no longer be read.
 * @param onNotice is told whether this is a stream's first notice, which comes even without a change
 */
export async function listen(id: string, onNotice: (isFirst: boolean) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let pause = pauseMs;
    try {
      await readStream(id, onNotice, signal);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      if (error instanceof Refused && error.status >= 400 && error.status < 500) return;
      if (error instanceof Refused) pause = Math.max(pause, (error.retryAfter ?? 0) * 1000);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function readStream(id: string, onNotice: (isFirst: boolean) => void, signal: AbortSignal): Promise<void> {
  const url = `${actionUrl('datastore_changes')}?resource_id=${encodeURIComponent(id)}`;
  const { body } = await send(url, { signal, as: token() });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let isFirst = true;
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    const events = (text + read.value).split('\n\n');
    text = events.pop() ?? '';
    // Comments keep the connection alive.
    if (!events.some((event) => /^event: changed$/m.test(event))) continue;
    onNotice(isFirst);
    isFirst = false;
  }
}
