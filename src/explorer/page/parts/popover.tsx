import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import { phone } from './hooks.ts';

export interface PopoverProps {
  /** The button's content. */
  readonly button: ComponentChildren;
  /** The popover's accessible name. */
  readonly label: string;
  readonly class?: string;
  /** The panel's id; needed if another button opens it, too. */
  readonly id?: string;
  /** Rendered only while the popover is open. */
  children(close: () => void): ComponentChildren;
}

/** A button that opens a panel. Escape, or a click outside, closes it. */
export function Popover({ button, label, class: look = '', id: own, children }: PopoverProps) {
  const generatedId = useId();
  const id = own ?? generatedId;
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen || panel.current === null || anchor.current === null) return;
    return settle(panel.current, anchor.current);
  }, [isOpen]);
  return (
    <>
      <button ref={anchor} type="button" class={look} popovertarget={id} aria-haspopup="dialog" aria-expanded={isOpen}>
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

/** Places a panel and focuses its first field. Places it again when its content, which may load later, changes its size. Returns the cleanup. */
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

/** Places a panel below its anchor, but within the window. On a phone it is a sheet at the bottom, which the style sheet places. */
export function place(panel: HTMLElement, anchor: DOMRect): void {
  if (matchMedia(phone).matches) {
    panel.removeAttribute('style');
    return;
  }
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

/** A panel that has no button: it is open while it is rendered, below its anchor element. */
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
