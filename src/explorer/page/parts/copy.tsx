import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { say } from '../texts/index.ts';

/** Copies a text. Returns whether it is in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

/** The API above is missing on plain HTTP, and refuses in a frame whose site does not allow it. The deprecated command works in both. */
function copyByCommand(text: string): boolean {
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  // Captured, so that it comes before the grid's own listener.
  document.addEventListener('copy', put, { capture: true, once: true });
  try {
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', put, true);
  }
}

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
        if (!(await copyText(text()))) return;
        setDone(true);
        setTimeout(() => setDone(false), 1500);
      }}
    >
      <span aria-live="polite">{isDone ? say.copied : label}</span>
    </button>
  );
}
