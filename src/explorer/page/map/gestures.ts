/** Moves and zooms the map with mouse, touch and keys. */
import type { HTMLAttributes } from 'preact';
import { useRef } from 'preact/hooks';
import { type Camera, moved, type Size, zoomed } from './camera.ts';
import type { Point } from './projections.ts';

export interface Gestures {
  readonly camera: Camera;
  readonly size: Size;
  onMove(camera: Camera): void;
  /** Called while the pointer is over a point and no button is pressed; null when it leaves. */
  onHover(at: Point | null): void;
  onClick(at: Point): void;
}

const stepPixels = 80;
/** A press that moves less than this is a click. */
const clickPixels = 5;
const keyFactor = 1.6;

/**
 * The canvas's listeners.
 * @param now returns the newest state: several events may come before the next render
 */
export function useGestures(now: () => Gestures): Listeners {
  /** The pressed pointers, and the point where a press began that may become a click. */
  const pressed = useRef(new Map<number, Point>());
  const start = useRef<Point | null>(null);
  return {
    onWheel(event) {
      event.preventDefault();
      const { camera, size, onMove } = now();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 20;
      onMove(zoomed(camera, size, 1.002 ** -Math.max(-300, Math.min(300, pixels)), pointOf(event)));
    },
    onPointerDown(event) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pressed.current.set(event.pointerId, pointOf(event));
      start.current = pressed.current.size === 1 ? pointOf(event) : null;
    },
    onPointerMove(event) {
      const { camera, size, onMove, onHover } = now();
      const [at, before] = [pointOf(event), pressed.current.get(event.pointerId)];
      if (before === undefined) return onHover(at);
      if (start.current !== null && distance(start.current, at) <= clickPixels) return;
      start.current = null;
      onHover(null);
      pressed.current.set(event.pointerId, at);
      const [other] = [...pressed.current].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]));
      if (other === undefined) return onMove(moved(camera, [before[0] - at[0], before[1] - at[1]]));
      onMove(zoomed(camera, size, distance(other, at) / Math.max(1, distance(other, before)), other));
    },
    onPointerUp(event) {
      if (start.current !== null) now().onClick(pointOf(event));
      start.current = null;
      pressed.current.delete(event.pointerId);
    },
    onPointerCancel: (event) => void pressed.current.delete(event.pointerId),
    onPointerLeave: () => now().onHover(null),
    onKeyDown(event) {
      const { camera, size, onMove } = now();
      const to = afterKey(event, camera, size);
      if (to === null) return;
      event.preventDefault();
      onMove(to);
    },
  };
}

type Listeners = Required<
  Pick<
    HTMLAttributes<HTMLElement>,
    'onWheel' | 'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel' | 'onPointerLeave' | 'onKeyDown'
  >
>;

const pointOf = ({ offsetX, offsetY }: MouseEvent): Point => [offsetX, offsetY];

function afterKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, camera: Camera, size: Size): Camera | null {
  if (ctrlKey || metaKey || altKey) return null;
  const middle: Point = [size.width / 2, size.height / 2];
  switch (key) {
    case 'ArrowLeft':
      return moved(camera, [-stepPixels, 0]);
    case 'ArrowRight':
      return moved(camera, [stepPixels, 0]);
    case 'ArrowUp':
      return moved(camera, [0, -stepPixels]);
    case 'ArrowDown':
      return moved(camera, [0, stepPixels]);
    case '+':
    case '=':
      return zoomed(camera, size, keyFactor, middle);
    case '-':
    case '−':
      return zoomed(camera, size, 1 / keyFactor, middle);
    default:
      return null;
  }
}

const distance = (one: Point, other: Point): number => Math.hypot(one[0] - other[0], one[1] - other[1]);
