import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MapPosition } from '../ask/question.ts';
import { type Camera, cameraAt, positionOf, type Size } from './camera.ts';
import { useSettled } from './use-size.ts';

/** Milliseconds that the map must be still before it requests the records in view. */
const restMs = 250;

export interface MovedCamera {
  /** Where the user has moved the map, or else where the address puts it. Null to show all records. */
  readonly chosen: Camera | null;
  /** The same, once the map has come to rest: it decides which records are requested. */
  readonly rested: Camera | null;
  /** The newest move, which may not be rendered yet: several events may come before the next render. Null before the first one. */
  newest(): Camera | null;
  move(to: Camera): void;
  /** Shows all records. */
  reset(): void;
}

/**
 * The camera as the user moves it.
 * @param at the position in the address; null for none
 * @param size the canvas's size; null before it is laid out
 * @param onRest called with the position where the map has come to rest; null when it shows all records again
 */
export function useCamera(
  at: MapPosition | null,
  size: Size | null,
  onRest: (at: MapPosition | null) => void,
): MovedCamera {
  const [moved, setMoved] = useState<Camera | null>(null);
  const newest = useRef<Camera | null>(null);
  const opened = useMemo(() => (size === null || at === null ? null : cameraAt(at, size)), [size, JSON.stringify(at)]);
  const settled = useSettled(moved, restMs);
  useEffect(() => {
    if (settled !== null) onRest(positionOf(settled));
  }, [settled]);
  const show = (to: Camera | null) => {
    newest.current = to;
    setMoved(to);
  };
  return {
    chosen: moved ?? opened,
    rested: settled ?? opened,
    newest: () => newest.current,
    move: show,
    reset() {
      show(null);
      onRest(null);
    },
  };
}
