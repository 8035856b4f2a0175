import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

export interface PopoverProps {
  /** What the button shows. */
  readonly button: ComponentChildren;
  /** The name of the popover for screen readers. */
  readonly label: string;
  readonly class?: string;
  readonly isDisabled?: boolean;
  /** The id of the panel, where another button opens it, too. */
  readonly id?: string;
  /** Rendered while it is open only. */
  children(close: () => void): ComponentChildren;
}

/** A button with a panel of its own, which a click beside it or Escape closes. */
export function Popover({ button, label, class: look = '', isDisabled = false, id: own, children }: PopoverProps) {
  const made = useId();
  const id = own ?? made;
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen || panel.current === null || anchor.current === null) return;
    return settle(panel.current, anchor.current);
  }, [isOpen]);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        class={look}
        popovertarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        disabled={isDisabled}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        class="popover"
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}

/** Places a panel, and focuses its first field, now and when its content has been loaded. Returns what ends that. */
function settle(panel: HTMLElement, anchor: HTMLElement): () => void {
  const arrange = () => {
    place(panel, anchor.getBoundingClientRect());
    if (!panel.contains(document.activeElement))
      (
        panel.querySelector<HTMLElement>('[data-first]') ??
        panel.querySelector<HTMLElement>('input:not([hidden],[type=hidden]),select,textarea,button,a')
      )?.focus();
  };
  arrange();
  const resized = new ResizeObserver(arrange);
  resized.observe(panel);
  return () => resized.disconnect();
}

/** Puts a panel below its anchor, within the window. */
export function place(panel: HTMLElement, anchor: DOMRect): void {
  const { width, height } = panel.getBoundingClientRect();
  const left = Math.max(8, Math.min(anchor.left, innerWidth - width - 8));
  const below = anchor.bottom + 6;
  const top = below + height > innerHeight - 8 ? Math.max(8, innerHeight - height - 8) : below;
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
}

export interface AnchoredProps {
  readonly anchor: HTMLElement;
  readonly label: string;
  readonly children: ComponentChildren;
  onClose(): void;
}

/** A panel that is open as long as it is rendered, below an element that something else opened it from. */
export function Anchored({ anchor, label, children, onClose }: AnchoredProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (panel.current === null) return;
    panel.current.showPopover();
    return settle(panel.current, anchor);
  }, [anchor]);
  return (
    <div
      ref={panel}
      class="popover"
      popover="auto"
      role="dialog"
      aria-label={label}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      {children}
    </div>
  );
}
