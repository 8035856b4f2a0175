/** The list below a combobox, from which the user chooses a record. */
import { useEffect, useRef } from 'preact/hooks';
import { Name } from '../parts/value.tsx';
import type { Option } from './options.ts';

/** The ids of the list's elements, for the ARIA attributes of the input. */
export const listId = (id: string): string => `${id}-list`;
export const optionId = (id: string, at: number): string => `${id}-${at}`;

export interface OptionListProps {
  /** The combobox's id, from which those of the list are made. */
  readonly id: string;
  readonly label: string;
  readonly options: readonly Option[];
  /** The option that the arrow keys have reached; -1 for none. */
  readonly active: number;
  onChoose(option: Option): void;
}

/** Renders nothing if there are no options. The focus stays in the input. */
export function OptionList({ id, label, options, active, onChoose }: OptionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [active]);
  if (options.length === 0) return null;
  return (
    <div ref={list} id={listId(id)} class="options" role="listbox" aria-label={label}>
      {options.map((one, nth) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, by the combobox pattern
        <div
          key={one.code}
          id={optionId(id, nth)}
          role="option"
          aria-selected={nth === active}
          // Keep the focus in the input.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(one)}
        >
          <Name of={one.label ?? one.code} />
          {one.label !== null && <code class="code-beside">{one.code}</code>}
        </div>
      ))}
    </div>
  );
}

/** The option after an arrow key: after the last one comes the first, and the other way round. */
export function optionAfter(key: 'ArrowDown' | 'ArrowUp', active: number, options: number): number {
  const count = Math.max(1, options);
  return key === 'ArrowDown' ? (active + 1) % count : (Math.max(active, 0) + count - 1) % count;
}
