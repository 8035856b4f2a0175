import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useRedraw } from './hooks.ts';

export interface VirtualOptions {
  readonly count: number;
  readonly isHorizontal: boolean;
  readonly overscan: number;
  /** Changes when sizes change. */
  readonly sizes: unknown;
  /** Pixels at the end that something else covers. */
  readonly covered: number;
  size(at: number): number;
}

/** The part of a long list that is on the screen. */
export function useVirtual(
  box: RefObject<HTMLDivElement | null>,
  options: VirtualOptions,
): Virtualizer<HTMLDivElement, Element> {
  const redraw = useRedraw();
  const all = {
    count: options.count,
    horizontal: options.isHorizontal,
    overscan: options.overscan,
    estimateSize: options.size,
    scrollPaddingEnd: options.covered,
    getScrollElement: () => box.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: redraw,
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, Element>(all));
  virtualizer.setOptions(all);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [options.sizes]);
  return virtualizer;
}
