import { call, Refused } from '../ask/call.ts';
import { text } from '../ask/json.ts';
import { say } from '../texts/index.ts';
import { inWords } from './trouble.tsx';

/** Asks the gateway whether it knows a token. Returns what to tell the user; null if it does. */
export async function complaintAbout(typed: string): Promise<string | null> {
  const { signal } = new AbortController();
  try {
    const { result } = await call('resource_list', { limit: 1 }, { signal, as: typed });
    return text(result.caller) === '' ? say.tokenUnknown : null;
  } catch (error) {
    return error instanceof Refused ? inWords(error, '') : String(error);
  }
}
