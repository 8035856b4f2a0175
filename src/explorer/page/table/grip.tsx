import { useRef } from 'preact/hooks';

export interface GripProps {
  readonly width: number;
  /** @param width null to make the column as wide as its values need */
  onResize(width: number | null): void;
}

/** The edge of a column's header: dragging it resizes the column, and a double click undoes that. With the keyboard, Alt and the arrows resize. */
export function Grip({ width, onResize }: GripProps) {
  const start = useRef<{ readonly x: number; readonly width: number } | null>(null);
  return (
    <span
      class="grip"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={({ clientX }) => {
        if (start.current !== null) onResize(start.current.width + clientX - start.current.x);
      }}
      onPointerUp={() => {
        start.current = null;
      }}
      onPointerCancel={() => {
        start.current = null;
      }}
      onDblClick={(event) => {
        event.stopPropagation();
        onResize(null);
      }}
    />
  );
}
