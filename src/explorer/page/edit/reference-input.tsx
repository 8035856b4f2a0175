/** The input for a foreign key: a list to type in, as in the ARIA Authoring Practices' combobox pattern. The user can also type a code. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Reference } from '../ask/table.ts';
import { useLoaded } from '../parts/hooks.ts';
import { Name } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { type Option, readOptions } from './options.ts';
import { words } from './texts/index.ts';

/** The attributes of the text input. */
export interface Typing {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
  readonly value: string;
  readonly placeholder: string;
  onInput(event: { readonly currentTarget: { readonly value: string } }): void;
}

export interface ReferenceInputProps {
  readonly reference: Reference;
  /** The stored text; '' if there is none. */
  readonly code: string;
  /** The text input. Its value is the code, or what the user is typing. */
  readonly typing: Typing;
  onCode(code: string): void;
  /** Called when the user begins or stops typing: in between, the text may not be a code. */
  onTyping(isTyping: boolean): void;
}

/** Milliseconds between the last key press and reading the choices. */
const typingPauseMs = 200;

export function ReferenceInput({ reference, code, typing, onCode, onTyping }: ReferenceInputProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  /** What the user has typed but not chosen yet; null while the input shows the chosen record. */
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  const [chosen, setChosen] = useState<Option | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const isKnown = chosen?.code === code;
  const stored = useLoaded(code === '' || isKnown || typed !== null ? null : code, (signal) =>
    readOptions(reference, { is: 'code', text: code }, signal),
  );
  const found = useLoaded(isOpen ? (typed ?? '') : null, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, typingPauseMs));
    signal.throwIfAborted();
    return readOptions(reference, { is: 'typed', text: typed ?? '' }, signal);
  });
  const options = isOpen ? (found.data ?? []) : [];
  const shown = isKnown ? chosen : stored.data?.find((one) => one.code === code);
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [active]);
  useEffect(() => onTyping(typed !== null), [typed !== null]);
  const open = () => {
    setOpen(true);
    setActive(-1);
  };
  const choose = (option: Option) => {
    setChosen(option);
    setTyped(null);
    setOpen(false);
    onCode(option.code);
  };
  /** Ends typing. If the text is the whole label of one choice, it selects that record. */
  const leave = () => {
    const same = options.filter((one) => one.label?.toLowerCase() === typed?.trim().toLowerCase());
    const [only] = same;
    if (typed !== null && same.length === 1 && only !== undefined) return choose(only);
    setTyped(null);
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const option = options[active];
    const count = Math.max(1, options.length);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!isOpen) open();
      else setActive(event.key === 'ArrowDown' ? (active + 1) % count : (Math.max(active, 0) + count - 1) % count);
    } else if (event.key === 'Enter' && isOpen && !event.ctrlKey && !event.metaKey) {
      if (option === undefined) leave();
      else choose(option);
    } else if (event.key === 'Escape' && isOpen) setOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        {...typing}
        class="line"
        role="combobox"
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={options[active] === undefined ? undefined : `${id}-${active}`}
        value={typed ?? shown?.label ?? typing.value}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          // Not only in the effect: until it runs, the name would count as a wrong code.
          onTyping(true);
          open();
          typing.onInput(event);
        }}
        onFocus={(event) => event.currentTarget.select()}
        onClick={open}
        onBlur={leave}
        onKeyDown={onKeyDown}
      />
      {typed === null && shown?.label != null && <code class="code-beside">{shown.code}</code>}
      {options.length > 0 && (
        <div ref={list} id={`${id}-list`} class="options" role="listbox" aria-label={reference.title}>
          {options.map((one, nth) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, by the combobox pattern
            <div
              key={one.code}
              id={`${id}-${nth}`}
              role="option"
              aria-selected={nth === active}
              // Keep the focus in the input.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(one)}
            >
              <Name of={one.label ?? one.code} />
              {one.label !== null && <code class="code-beside">{one.code}</code>}
            </div>
          ))}
        </div>
      )}
      <small class="hint" role="status">
        {isOpen && found.data?.length === 0 && !found.isLoading ? say.noRecords : words.chooseFrom(reference.title)}
      </small>
    </>
  );
}
