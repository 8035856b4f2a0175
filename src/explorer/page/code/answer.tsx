import { call as send } from '../ask/call.ts';
import { useLoaded } from '../parts/hooks.ts';
import { say } from '../texts/index.ts';
import type { Call } from './operations.ts';

/** How many characters of an answer to show: one value may have millions. */
const maxCharacters = 4000;

/** The answer to the call on display, with its first records. */
export function Answer({ call }: { readonly call: Exclude<Call, { readonly kind: 'file' }> }) {
  const { action, params } = call;
  // The page has already counted the records.
  const request = call.kind === 'records' ? { ...params, limit: 2, include_total: false } : { ...params, limit: 5 };
  const key = JSON.stringify([action, request]);
  const { data } = useLoaded(key, async (signal) => {
    const { result } = await send(action, request, { signal });
    return { key, text: JSON.stringify({ success: true, result }, null, 2) };
  });
  // The answer to the previous call must not stay below a new one.
  if (data?.key !== key) return null;
  const { text } = data;
  return (
    <section>
      <h2>{say.answer}</h2>
      <section class="code" aria-label={say.answer}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer is scrolled with the keyboard, too */}
        <pre tabIndex={0}>
          <code>{text.length > maxCharacters ? `${text.slice(0, maxCharacters)}\n…` : text}</code>
        </pre>
      </section>
    </section>
  );
}
