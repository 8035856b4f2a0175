import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { say } from '../texts/index.ts';

/** A button that copies a text, and shows "Copied" for a moment. */
export function Copy({
  label = say.copy,
  text,
  class: look = '',
}: {
  readonly label?: ComponentChildren;
  readonly text: () => string;
  readonly class?: string;
}) {
  const [isDone, setDone] = useState(false);
  return (
    <button
      type="button"
      class={look}
      onClick={async () => {
        await navigator.clipboard.writeText(text());
        setDone(true);
        setTimeout(() => setDone(false), 1500);
      }}
    >
      <span aria-live="polite">{isDone ? say.copied : label}</span>
    </button>
  );
}
